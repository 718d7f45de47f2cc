// The API keys and the family password.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { verify } from '@node-rs/argon2';
import { ParleyError } from '@parley/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Credentials, openCredentials } from '../../src/config/credentials.ts';
import { Secret } from '../../src/config/secret.ts';
import { hashSecret } from '../../src/doors/http/policy/secret-hash.ts';

describe('credentials', () => {
  it('creates a key on the first start, shows it once, and stores only its hash', async () => {
    const config = freshHome();
    const first = await openCredentials(config);
    const key = first.shownKey?.reveal() ?? '';
    expect(key).toMatch(/^pk_[\w-]{43}$/);
    expect(first.apiKeys).toEqual([{ sha256: hashSecret(key), label: 'created on the first start' }]);

    const second = await openCredentials(config);
    expect(second).toEqual({ apiKeys: first.apiKeys, familyPassword: first.familyPassword });
    expect(readFileSync(join(config.dataDir, 'credentials.json'), 'utf8')).not.toContain(key);
  });

  it("shows the demo's key on every start", async () => {
    const config = { ...freshHome(), demo: true };
    const first = await openCredentials(config);
    const second = await openCredentials(config);
    expect(first.shownKey?.reveal()).toMatch(/^pk_/);
    expect(second.shownKey?.reveal()).toBe(first.shownKey?.reveal());
  });

  it('creates a passphrase on the first start, shows it once, and stores only its argon2 hash', async () => {
    const config = freshHome();
    const first = await openCredentials(config);
    const phrase = first.shownPhrase?.reveal() ?? '';
    expect(phrase).toMatch(/^[a-z]{5}(-[a-z]{5}){3}$/);
    expect(await argon2Of(first)).toBe(true);
    const file = readFileSync(join(config.dataDir, 'credentials.json'), 'utf8');
    expect(file).not.toContain(phrase);
    expect(file).toContain('$argon2id$');

    async function argon2Of({ familyPassword }: Credentials) {
      return 'argon2' in familyPassword && verify(familyPassword.argon2, phrase);
    }
  });

  it("shows the demo's passphrase on every start", async () => {
    const config = { ...freshHome(), demo: true };
    const first = await openCredentials(config);
    const second = await openCredentials(config);
    expect(second.shownPhrase?.reveal()).toBe(first.shownPhrase?.reveal());
    expect(second.familyPassword).toEqual(first.familyPassword);
  });

  it('adds a passphrase to a file that has only a key, and keeps the key', async () => {
    const config = freshHome();
    const file = join(config.dataDir, 'credentials.json');
    const first = await openCredentials({ ...config, familyPassword: new Secret('configured') });
    expect(readFileSync(file, 'utf8')).not.toContain('argon2');
    const second = await openCredentials(config);
    expect(second.apiKeys).toEqual(first.apiKeys);
    expect([first.shownPhrase, second.shownKey]).toEqual([undefined, undefined]);
    expect(second.shownPhrase?.reveal()).toMatch(/-/);
    expect(await openCredentials(config)).toEqual({
      apiKeys: first.apiKeys,
      familyPassword: second.familyPassword,
    });
    expect(readdirSync(config.dataDir)).toEqual(['credentials.json']);
  });

  it('accepts the hash of a password instead of the password', async () => {
    const familyPasswordHash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA';
    const { familyPassword } = await openCredentials({ ...freshHome(), familyPasswordHash });
    expect(familyPassword).toEqual({ argon2: familyPasswordHash });
  });

  it('keeps the file private, even after somebody made it readable', async () => {
    const config = freshHome();
    const file = join(config.dataDir, 'credentials.json');
    await openCredentials(config);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    await openCredentials(config);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('agrees on one key when two servers start at once', async () => {
    const config = freshHome();
    const all = await Promise.all(Array.from({ length: 8 }, () => openCredentials(config)));
    expect(new Set(all.map(({ apiKeys }) => apiKeys[0]?.sha256)).size).toBe(1);
    expect(all.filter(({ shownKey }) => shownKey !== undefined)).toHaveLength(1);
    expect(readdirSync(config.dataDir)).toEqual(['credentials.json']);
  });

  it('uses what is configured, plain and hashed, and then creates nothing', async () => {
    const config = freshHome();
    const { apiKeys, familyPassword, shownKey, shownPhrase } = await openCredentials({
      ...config,
      familyPassword: new Secret('four'),
      apiKey: new Secret('one'),
      apiKeys: [
        { key: new Secret('two'), person: 'petra' },
        { sha256: hashSecret('three'), label: 'phone' },
      ],
    });
    expect([shownKey, shownPhrase]).toEqual([undefined, undefined]);
    expect(familyPassword).toEqual({ password: new Secret('four') });
    expect(apiKeys).toEqual([
      { sha256: hashSecret('one'), label: 'configured' },
      { sha256: hashSecret('two'), label: 'configured 1', person: 'petra' },
      { sha256: hashSecret('three'), label: 'phone' },
    ]);
    expect(readdirSync(config.dataDir)).toEqual([]);
  });

  it('says what to do about a damaged file, without quoting it', async () => {
    const config = freshHome();
    const file = join(config.dataDir, 'credentials.json');
    writeFileSync(file, '{"apiKey": planted-secret}');
    const failure: unknown = await openCredentials(config).catch((error: unknown) => error);
    expect(failure).toEqual(
      new ParleyError(
        'unavailable',
        `${file} is damaged. Delete it to get a new API key and passphrase, or set PARLEY_API_KEY and FAMILY_PASSWORD.`,
      ),
    );
    expect(inspect(failure, { depth: 9 })).not.toContain('planted-secret');
  });
});

function freshHome() {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-credentials-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return {
    dataDir,
    demo: false,
    apiKey: undefined,
    apiKeys: [],
    familyPassword: undefined,
    familyPasswordHash: undefined,
  };
}
