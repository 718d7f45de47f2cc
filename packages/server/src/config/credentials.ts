// API keys for programs and the family password for browsers. They are configured, or created on the first start and
// stored as hashes.
import { createHash, randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ParleyError, type PersonName } from '@parley/protocol';
import { z } from 'zod';
import { createFile, replaceFile } from '../basics/atomic-file.ts';
import { credentialsFile, makePrivateFolder } from './files.ts';
import type { Config } from './schema.ts';
import { Secret } from './secret.ts';

/** An accepted key. Only its hash is known here. */
interface ApiKey {
  readonly sha256: string;
  readonly label: string;
  /** The person it belongs to, if any. */
  readonly person?: PersonName;
}

export interface Credentials {
  readonly apiKeys: readonly ApiKey[];
  /** The argon2 hash, or the configured password. */
  readonly familyPassword: { readonly argon2: string } | { readonly password: Secret };
  /** The key to show in the terminal: a new key once, the demo's key on every start. */
  readonly shownKey?: Secret;
  /** The passphrase to show in the terminal, in the same way. */
  readonly shownPhrase?: Secret;
}

const CredentialsFile = z.object({
  version: z.literal(1),
  apiKey: z
    .object({
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      createdAt: z.string(),
      /** In clear text in demo mode only, where all data is made up. */
      key: z.string().optional(),
    })
    .optional(),
  familyPassword: z
    .object({
      argon2: z.string().startsWith('$argon2'),
      createdAt: z.string(),
      /** In clear text in demo mode only. */
      phrase: z.string().optional(),
    })
    .optional(),
});
type CredentialsFile = z.infer<typeof CredentialsFile>;

type CredentialsConfig = Pick<
  Config,
  'apiKey' | 'apiKeys' | 'familyPassword' | 'familyPasswordHash' | 'dataDir' | 'demo'
>;

/** Returns the accepted credentials. Creates, stores and shows those that are neither configured nor stored. */
export async function openCredentials(config: CredentialsConfig): Promise<Credentials> {
  const keys = configuredKeys(config);
  const password = configuredPassword(config);
  if (keys.length > 0 && password) return { apiKeys: keys, familyPassword: password };

  const file = credentialsFile(config);
  const stored = await readCredentials(file);
  const content: CredentialsFile = { version: 1, ...stored };
  const shown: { key?: string; phrase?: string } = {};
  if (keys.length === 0 && !content.apiKey) {
    shown.key = newKey();
    content.apiKey = { ...createdNow(), sha256: sha256(shown.key), ...(config.demo && { key: shown.key }) };
  }
  if (!password && !content.familyPassword) {
    shown.phrase = newPassPhrase();
    const { hash } = await import('@node-rs/argon2');
    const argon2 = await hash(shown.phrase);
    content.familyPassword = { ...createdNow(), argon2, ...(config.demo && { phrase: shown.phrase }) };
  }
  if (shown.key !== undefined || shown.phrase !== undefined) {
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    await makePrivateFolder(dirname(file));
    if (stored) await replaceFile(file, text);
    // Another process was faster, so its credentials count.
    else if (!(await createFile(file, text))) return openCredentials(config);
  }
  const { apiKey, familyPassword } = content;
  const shownKey = keys.length === 0 ? (shown.key ?? apiKey?.key) : undefined;
  const shownPhrase = password ? undefined : (shown.phrase ?? familyPassword?.phrase);
  return {
    apiKeys: keys.length > 0 ? keys : [{ sha256: apiKey?.sha256 ?? '', label: 'created on the first start' }],
    familyPassword: password ?? { argon2: familyPassword?.argon2 ?? '' },
    ...(shownKey !== undefined && { shownKey: new Secret(shownKey) }),
    ...(shownPhrase !== undefined && { shownPhrase: new Secret(shownPhrase) }),
  };
}

/** Copies the passphrase and key of a data folder to another one that has none yet. Copies only their hashes. */
export async function carryCredentials(from: CredentialsFolder, to: CredentialsFolder): Promise<void> {
  const stored = await readCredentials(credentialsFile(from));
  if (!stored) return;
  const content: CredentialsFile = { version: 1 };
  if (stored.apiKey) content.apiKey = { ...stored.apiKey, key: undefined };
  if (stored.familyPassword) content.familyPassword = { ...stored.familyPassword, phrase: undefined };
  await makePrivateFolder(to.dataDir);
  await createFile(credentialsFile(to), `${JSON.stringify(content, undefined, 2)}\n`);
}

type CredentialsFolder = Pick<Config, 'dataDir'>;

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

const consonants = 'bdfghjklmnprstvz';
const vowels = 'aiou';

/** Four made-up words of 16 random bits each, easy to read out and type: `lusab-babad-gutih-tugad`. */
function newPassPhrase(): string {
  const bytes = randomBytes(8);
  return Array.from({ length: 4 }, (_, index) => toWord(bytes.readUInt16BE(index * 2))).join('-');
}

function toWord(bits: number): string {
  const consonant = (shift: number) => consonants[(bits >> shift) & 15];
  const vowel = (shift: number) => vowels[(bits >> shift) & 3];
  return `${consonant(12)}${vowel(10)}${consonant(6)}${vowel(4)}${consonant(0)}`;
}

function createdNow(): { createdAt: string } {
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
    // The cause is left out because a syntax error quotes the file.
    throw new ParleyError(
      'unavailable',
      `${file} is damaged. Delete it to get a new API key and passphrase, or set PARLEY_API_KEY and FAMILY_PASSWORD.`,
    );
  }
}

/** Returns undefined if there is no such file. Makes the file private again if it isn't. */
async function readPrivate(file: string): Promise<string | undefined> {
  try {
    await chmod(file, 0o600);
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
