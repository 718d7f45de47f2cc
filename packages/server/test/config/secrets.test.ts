// A planted secret is never shown: not in values, messages, JSON or the console.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatProblems } from '../../src/config/problem.ts';
import { Secret, secretsOf } from '../../src/config/secret.ts';
import { configFolder } from './config-folder.ts';

const planted = 'planted-secret';

describe('a secret', () => {
  it('prints as redacted however it is printed', () => {
    const secret = new Secret(planted);
    const printed = [
      String(secret),
      ['joined', secret].join(),
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
      Object.values(secret).join(),
      String(new Error('failed', { cause: secret }).cause),
    ].join('\n');
    expect(printed).not.toContain(planted);
    expect(printed).toContain('[redacted]');
    expect(secret.reveal()).toBe(planted);
  });

  it('is hidden everywhere in a valid configuration', () => {
    const { load } = configFolder();
    const { config, problems } = load({
      file: { apiKeys: [{ key: `${planted}-1`, label: 'phone' }] },
      environment: { PARLEY_API_KEY: `${planted}-2`, ANTHROPIC_API_KEY: `${planted}-3` },
    });
    expect(problems).toEqual([]);
    expect(JSON.stringify(config) + inspect(config, { depth: 9, showHidden: true })).not.toContain(planted);
    expect(secretsOf(config).toSorted()).toEqual([`${planted}-1`, `${planted}-2`, `${planted}-3`]);
  });

  it.each([
    { file: { apiKey: { value: planted } } },
    { file: { apiKey: [planted] } },
    { file: { anthropic: planted } },
    { file: { anthropic: { apiKey: [planted] } } },
    { file: { anthropic: { baseUrl: planted } } },
    { file: { apiKeys: planted } },
    { file: { apiKeys: [planted] } },
    { file: { apiKeys: [{ key: [planted] }] } },
    { file: { apiKeys: [{ sha256: planted }] } },
    { file: { anthropicApiKey: planted } },
    { file: `{"apiKey": "${planted}" "port": 1}` },
    { file: `{"apiKey": ${planted}}` },
    { file: `"${planted}"` },
  ])('is hidden in the problems of %j', (given) => {
    const { load } = configFolder();
    const { problems } = load(given);
    expect(problems).not.toEqual([]);
    expect(formatProblems(problems) + JSON.stringify(problems)).not.toContain(planted);
  });
});
