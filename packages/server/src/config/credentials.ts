// The API keys that open the doors: those configured, or one made at the first start and kept as a hash.
import { createHash, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ParleyError, type PersonName } from '@parley/protocol';
import { z } from 'zod';
import { credentialsFile } from './files.ts';
import type { Config } from './schema.ts';
import { Secret } from './secret.ts';

/** A key that is accepted; the key itself is not known here. */
interface ApiKey {
  readonly sha256: string;
  readonly label: string;
  /** The person for whom it speaks, if it is bound to one. */
  readonly person?: PersonName;
}

export interface Credentials {
  readonly apiKeys: readonly ApiKey[];
  /** The key to show in the terminal: a new one once, that of the demo at every start. */
  readonly shown?: Secret;
}

const CredentialsFile = z.object({
  version: z.literal(1),
  apiKey: z.object({
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    createdAt: z.string(),
    /** In clear text in the demo alone, whose data is made up. */
    key: z.string().optional(),
  }),
});
type CredentialsFile = z.infer<typeof CredentialsFile>;

/** Finds the accepted keys; makes, keeps and shows one where none is configured. */
export async function openCredentials(
  config: Pick<Config, 'apiKey' | 'apiKeys' | 'dataDir' | 'demo'>,
): Promise<Credentials> {
  const configured = configuredKeys(config);
  if (configured.length > 0) return { apiKeys: configured };

  const file = credentialsFile(config);
  const kept = await readCredentials(file);
  if (kept) return fromFile(kept);

  const { key, content } = newCredentials({ readable: config.demo });
  if (await writeOnce(file, content)) return { ...fromFile(content), shown: key };
  // Another start was faster: its key is the one that holds.
  return openCredentials(config);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function configuredKeys({ apiKey, apiKeys }: Pick<Config, 'apiKey' | 'apiKeys'>): readonly ApiKey[] {
  const single = apiKey ? [{ sha256: sha256(apiKey.reveal()), label: 'configured' }] : [];
  const listed = apiKeys.map((entry, index) => ({
    sha256: entry.sha256 ?? sha256(entry.key?.reveal() ?? ''),
    label: entry.label ?? `configured ${index + 1}`,
    ...(entry.person === undefined ? {} : { person: entry.person }),
  }));
  return [...single, ...listed];
}

function newCredentials({ readable }: { readable: boolean }): { key: Secret; content: CredentialsFile } {
  const key = `pk_${randomBytes(32).toString('base64url')}`;
  const createdAt = new Date().toISOString();
  return {
    key: new Secret(key),
    content: { version: 1, apiKey: { sha256: sha256(key), createdAt, ...(readable ? { key } : {}) } },
  };
}

function fromFile({ apiKey }: CredentialsFile): Credentials {
  return {
    apiKeys: [{ sha256: apiKey.sha256, label: 'made at the first start' }],
    ...(apiKey.key === undefined ? {} : { shown: new Secret(apiKey.key) }),
  };
}

/** False when the file is there already. Two starts at once agree on one file, and a crash leaves none half written. */
async function writeOnce(file: string, content: CredentialsFile): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function readCredentials(file: string): Promise<CredentialsFile | undefined> {
  try {
    await chmod(file, 0o600);
    return CredentialsFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code !== undefined) throw error;
    // The cause is left out: a syntax error quotes the file.
    throw new ParleyError(
      'unavailable',
      `${file} cannot be understood. Delete it to have a new API key made, or set PARLEY_API_KEY.`,
    );
  }
}
