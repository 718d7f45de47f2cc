// What opens the doors: API keys for programs and the family password for browsers. Those configured, or ones made
// at the first start and kept as hashes.
import { createHash, randomBytes } from 'node:crypto';
import { ParleyError, type PersonName } from '@parley/protocol';
import { z } from 'zod';
import { credentialsFile } from './files.ts';
import { newPassPhrase } from './pass-phrase.ts';
import { readPrivate, replacePrivate, writePrivateOnce } from './private-file.ts';
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
  /** As its argon2 hash, or as it was configured. */
  readonly familyPassword: { readonly argon2: string } | { readonly password: Secret };
  /** The key to show in the terminal: a new one once, that of the demo at every start. */
  readonly shownKey?: Secret;
  /** The pass phrase to show in the terminal, likewise. */
  readonly shownPhrase?: Secret;
}

const CredentialsFile = z.object({
  version: z.literal(1),
  apiKey: z
    .object({
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      createdAt: z.string(),
      /** In clear text in the demo alone, whose data is made up. */
      key: z.string().optional(),
    })
    .optional(),
  familyPassword: z
    .object({
      argon2: z.string().startsWith('$argon2'),
      createdAt: z.string(),
      /** In clear text in the demo alone. */
      phrase: z.string().optional(),
    })
    .optional(),
});
type CredentialsFile = z.infer<typeof CredentialsFile>;

type CredentialsConfig = Pick<
  Config,
  'apiKey' | 'apiKeys' | 'familyPassword' | 'familyPasswordHash' | 'dataDir' | 'demo'
>;

/** Finds what is accepted; makes, keeps and shows what is neither configured nor kept. */
export async function openCredentials(config: CredentialsConfig): Promise<Credentials> {
  const keys = configuredKeys(config);
  const password = configuredPassword(config);
  if (keys.length > 0 && password) return { apiKeys: keys, familyPassword: password };

  const file = credentialsFile(config);
  const kept = await readCredentials(file);
  const content: CredentialsFile = { version: 1, ...kept };
  const shown: { key?: string; phrase?: string } = {};
  if (keys.length === 0 && !content.apiKey) {
    shown.key = newKey();
    content.apiKey = { ...made(), sha256: sha256(shown.key), ...(config.demo && { key: shown.key }) };
  }
  if (!password && !content.familyPassword) {
    shown.phrase = newPassPhrase();
    const { hash } = await import('@node-rs/argon2');
    const argon2 = await hash(shown.phrase);
    content.familyPassword = { ...made(), argon2, ...(config.demo && { phrase: shown.phrase }) };
  }
  if (shown.key !== undefined || shown.phrase !== undefined) {
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    if (kept) await replacePrivate(file, text);
    // Another start was faster: what it made is what holds.
    else if (!(await writePrivateOnce(file, text))) return openCredentials(config);
  }
  const { apiKey, familyPassword } = content;
  const shownKey = keys.length === 0 ? (shown.key ?? apiKey?.key) : undefined;
  const shownPhrase = password ? undefined : (shown.phrase ?? familyPassword?.phrase);
  return {
    apiKeys: keys.length > 0 ? keys : [{ sha256: apiKey?.sha256 ?? '', label: 'made at the first start' }],
    familyPassword: password ?? { argon2: familyPassword?.argon2 ?? '' },
    ...(shownKey !== undefined && { shownKey: new Secret(shownKey) }),
    ...(shownPhrase !== undefined && { shownPhrase: new Secret(shownPhrase) }),
  };
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

function configuredPassword({
  familyPassword,
  familyPasswordHash,
}: CredentialsConfig): Credentials['familyPassword'] | undefined {
  if (familyPassword) return { password: familyPassword };
  return familyPasswordHash === undefined ? undefined : { argon2: familyPasswordHash };
}

function newKey(): string {
  return `pk_${randomBytes(32).toString('base64url')}`;
}

function made(): { createdAt: string } {
  return { createdAt: new Date().toISOString() };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function readCredentials(file: string): Promise<CredentialsFile | undefined> {
  const text = await readPrivate(file);
  if (text === undefined) return undefined;
  try {
    return CredentialsFile.parse(JSON.parse(text));
  } catch {
    // The cause is left out: a syntax error quotes the file.
    throw new ParleyError(
      'unavailable',
      `${file} cannot be understood. Delete it to have a new API key and pass phrase made, or set PARLEY_API_KEY and FAMILY_PASSWORD.`,
    );
  }
}
