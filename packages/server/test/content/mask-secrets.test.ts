// What is hidden before strangers read a text, and what is not.
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../src/content/mask-secrets.ts';

const made = (prefix: string, length: number) => prefix + 'aB3xY9kQ'.repeat(20).slice(0, length);

describe('masking secrets', () => {
  it.each([
    made('sk-ant-api03-', 40),
    made('pk_', 43),
    made('ghp_', 36),
    made('github_pat_', 40),
    made('glpat-', 20),
    made('xoxb-', 30),
    `AKIA${'Q3ZX'.repeat(4)}`,
    made('AIza', 35),
    made('hf_', 30),
    `${made('eyJ', 20)}.${made('eyJ', 30)}.${made('', 30)}`,
    `123456789:AA${made('', 33)}`,
  ])('hides the key %s [app.links.masked]', (key) => {
    expect(maskSecrets(`Use ${key}, please`)).toBe('Use •••, please');
    expect(maskSecrets(JSON.stringify({ nested: JSON.stringify({ key }) }))).not.toContain(key.slice(-8));
  });

  it.each([
    ['password = "hunter2!"', 'password = "•••"'],
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=•••'],
    ['{"apiKey": "abcdef", "user": "me"}', '{"apiKey": "•••", "user": "me"}'],
    ['{\\"token\\":\\"abcdef\\"}', '{\\"token\\":\\"•••\\"}'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer •••'],
    ['postgres://me:hunter2@db.example/x', 'postgres://me:•••@db.example/x'],
    ['login --password hunter2 --now', 'login --password ••• --now'],
    ['The password for the router is hunter2', 'The password for the router is •••'],
    ['Das Passwort ist hunter2.', 'Das Passwort ist •••'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nrest', '•••\nrest'],
  ])('hides the secret in %s [app.links.masked]', (text, shown) => {
    expect(maskSecrets(text)).toBe(shown);
  });

  it.each([
    'Tokens: 1,234 in, 56 out',
    'interface Login { password: string; token?: number }',
    'const key = process.env.API_KEY;',
    'token: ${{ secrets.GITHUB_TOKEN }}',
    'Write to me@example.com or see https://example.com:8080/a@b',
    'The task-force asked about a risk-averse plan',
  ])('leaves %s alone [app.links.masked]', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('takes time proportional to the text, whatever is in it [app.links.masked]', () => {
    const hostile = [
      '-----BEGIN PRIVATE KEY-----',
      'password is ',
      'password a b c d ',
      'eyJaaaaaaaaa.',
      'a://b:',
      'token=',
      'sk-',
    ];
    // Quadratic time would take minutes, and the test would not end.
    for (const piece of hostile) expect(maskSecrets(piece.repeat(20_000)).length).toBeGreaterThan(0);
  });
});
