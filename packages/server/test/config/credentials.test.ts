// The API keys that open the doors.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ParleyError } from '@parley/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCredentials } from '../../src/config/credentials.ts';
import { Secret } from '../../src/config/secret.ts';
import { hashApiKey } from '../../src/doors/http/policy/credentials.ts';

describe('credentials', () => {
  it('makes a key at the first start, shows it once, and keeps only its hash', async () => {
    const config = freshHome();
    const first = await openCredentials(config);
    const key = first.shown?.reveal() ?? '';
    expect(key).toMatch(/^pk_[\w-]{43}$/);
    expect(first.apiKeys).toEqual([{ sha256: hashApiKey(key), label: 'made at the first start' }]);

    const second = await openCredentials(config);
    expect(second).toEqual({ apiKeys: first.apiKeys });
    expect(readFileSync(join(config.dataDir, 'credentials.json'), 'utf8')).not.toContain(key);
  });

  it('shows the key of the demo at every start', async () => {
    const config = { ...freshHome(), demo: true };
    const first = await openCredentials(config);
    const second = await openCredentials(config);
    expect(first.shown?.reveal()).toMatch(/^pk_/);
    expect(second.shown?.reveal()).toBe(first.shown?.reveal());
  });

  it('keeps the file from other users, also when somebody opened it up', async () => {
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
    expect(all.filter(({ shown }) => shown !== undefined)).toHaveLength(1);
    expect(readdirSync(config.dataDir)).toEqual(['credentials.json']);
  });

  it('takes configured keys, plain and hashed, and then makes none', async () => {
    const config = freshHome();
    const { apiKeys, shown } = await openCredentials({
      ...config,
      apiKey: new Secret('one'),
      apiKeys: [
        { key: new Secret('two'), person: 'petra' },
        { sha256: hashApiKey('three'), label: 'phone' },
      ],
    });
    expect(shown).toBeUndefined();
    expect(apiKeys).toEqual([
      { sha256: hashApiKey('one'), label: 'configured' },
      { sha256: hashApiKey('two'), label: 'configured 1', person: 'petra' },
      { sha256: hashApiKey('three'), label: 'phone' },
    ]);
    expect(readdirSync(config.dataDir)).toEqual([]);
  });

  it('says what to do about a file that it does not understand, without quoting it', async () => {
    const config = freshHome();
    const file = join(config.dataDir, 'credentials.json');
    writeFileSync(file, '{"apiKey": planted-secret}');
    const failure: unknown = await openCredentials(config).catch((error: unknown) => error);
    expect(failure).toEqual(
      new ParleyError(
        'unavailable',
        `${file} cannot be understood. Delete it to have a new API key made, or set PARLEY_API_KEY.`,
      ),
    );
    expect(inspect(failure, { depth: 9 })).not.toContain('planted-secret');
  });
});

function freshHome() {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-credentials-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return { dataDir, demo: false, apiKey: undefined, apiKeys: [] };
}
