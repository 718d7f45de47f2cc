// What is wrong with a configuration: all problems at once, with exact messages.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem, formatProblems } from '../../src/config/problem.ts';
import { configFolder, type Given } from './config-folder.ts';

const badConfigs: readonly {
  readonly what: string;
  readonly given: Given;
  readonly says: readonly string[];
}[] = [
  {
    what: 'a port that is not a number',
    given: { environment: { PARLEY_PORT: 'http' } },
    says: [
      'port (PARLEY_PORT): expected a number, found "http"\n    Use a free port such as 4710, or 0 to pick any free port.',
    ],
  },
  {
    what: 'a port that is too large',
    given: { flags: { port: '70000' } },
    says: [
      'port (--port): expected 65535 or less, found 70000\n    Use a free port such as 4710, or 0 to pick any free port.',
    ],
  },
  {
    what: 'a fractional port',
    given: { file: { port: 80.5 } },
    says: [
      'port (FILE): expected a whole number, found 80.5\n    Use a free port such as 4710, or 0 to pick any free port.',
    ],
  },
  {
    what: 'a misspelled key',
    given: { file: { prot: 1 } },
    says: ['prot (FILE): unknown key\n    Did you mean port?'],
  },
  {
    what: 'a misspelled key in a section',
    given: { file: { limits: { bodyBites: 1 } } },
    says: ['limits.bodyBites (FILE): unknown key\n    Did you mean limits.bodyBytes?'],
  },
  {
    what: 'an unknown key',
    given: { file: { sessions: { quux: 1 } } },
    says: ['sessions.quux (FILE): unknown key\n    Known keys: persist.'],
  },
  {
    what: 'a misspelled key in an entry of a list',
    given: { file: { apiKeys: [{ key: 'k', lable: 'phone' }] } },
    says: ['apiKeys[0].lable (FILE): unknown key\n    Did you mean apiKeys[0].label?'],
  },
  {
    what: 'a value that is not on the list',
    given: { environment: { PARLEY_LOG_LEVEL: 'loud' } },
    says: [
      'log.level (PARLEY_LOG_LEVEL): expected one of debug, info, warn, error, silent, found "loud"\n    The lowest level that is logged.',
    ],
  },
  {
    what: 'a switch that is neither on nor off',
    given: { environment: { PARLEY_DEMO: 'maybe' } },
    says: [
      'demo (PARLEY_DEMO): expected true or false, found "maybe"\n    Set it to 1 to turn demo mode on, to 0 to turn it off, or leave it out.',
    ],
  },
  {
    what: 'a section that is not an object',
    given: { file: { limits: 3 } },
    says: [
      'limits (FILE): expected an object, found a number (hidden)\n    See docs/configuration.md for the keys that are allowed here.',
    ],
  },
  {
    what: 'an empty list of people',
    given: { file: { people: [] } },
    says: [
      'people (FILE): expected at least one entry\n    Use short lowercase names, such as sebastian,petra.',
    ],
  },
  {
    what: 'a person twice',
    given: { environment: { PARLEY_PEOPLE: 'anna,anna' } },
    says: [
      'people (PARLEY_PEOPLE): expected unique names\n    Use short lowercase names, such as sebastian,petra.',
    ],
  },
  {
    what: 'a name that could leave its folder',
    given: { file: { people: ['anna', '../ben'] } },
    says: [
      'people[1] (FILE): a name is 1 to 32 of a-z, 0-9, - and _, and starts with a letter or digit, found "../ben"\n    Use short lowercase names, such as sebastian,petra.',
    ],
  },
  {
    what: 'an invalid host',
    given: { environment: { PARLEY_HOST: 'http://localhost' } },
    says: [
      'host (PARLEY_HOST): expected an IP address or a host name, found "http://localhost"\n    Use 127.0.0.1 for this machine only, or 0.0.0.0 for all its networks.',
    ],
  },
  {
    what: 'a public host with its scheme',
    given: { file: { publicHosts: ['https://parley.example.org'] } },
    says: [
      'publicHosts[0] (FILE): expected a host name without port and path, found "https://parley.example.org"\n    Use lowercase names such as parley.example.org, without https:// and without a port.',
    ],
  },
  {
    what: 'an invalid network',
    given: { file: { trustedProxies: ['10.0.0.0/33'] } },
    says: [
      'trustedProxies[0] (FILE): expected an IP address or a network, found "10.0.0.0/33"\n    Use an address such as 127.0.0.1 or a network such as 10.0.0.0/8.',
    ],
  },
  {
    what: 'an API address that contains a password',
    given: { environment: { ANTHROPIC_BASE_URL: 'https://me:hunter22@api.example.org' } },
    says: [
      'anthropic.baseUrl (ANTHROPIC_BASE_URL): expected an http or https address, found a string (hidden)\n    Use an address such as https://api.anthropic.com, without a user name or password.',
    ],
  },
  {
    what: 'an entry without a key and without a hash',
    given: { file: { apiKeys: [{ label: 'phone' }] } },
    says: [
      'apiKeys[0] (FILE): expected either key or sha256\n    Each entry is {"key": "…"} or {"sha256": "…"}, and can have "person" and "label".',
    ],
  },
  {
    what: 'a secret of the wrong type',
    given: { file: { apiKey: 123456789 } },
    says: [
      'apiKey (FILE): expected a string, found a number (hidden)\n    The API key that programs send as `X-API-Key` or as a bearer token.',
    ],
  },
  {
    what: 'a long string instead of a short one',
    given: { file: { port: 'sk-ant-api03-0123456789012345678901234567890123456789' } },
    says: [
      'port (FILE): expected a number, found a string of 53 characters\n    Use a free port such as 4710, or 0 to pick any free port.',
    ],
  },
  {
    what: 'an assistant without a prompt',
    given: { file: { assistants: [{ name: 'poet', label: 'Poet' }] } },
    says: [
      'assistants[0] (FILE): expected a label and a systemPrompt, or extends\n    Each entry has "name", and either "extends" or "label" and "systemPrompt". It can have "tools" and "reminder".',
    ],
  },
  {
    what: 'an address that other machines can reach, without a secret',
    given: { environment: { PARLEY_HOST: '0.0.0.0' } },
    says: [
      'host (PARLEY_HOST): other machines could reach Parley at 0.0.0.0, but no API key or password is configured\n    Set PARLEY_API_KEY or FAMILY_PASSWORD to a long random value, or listen on 127.0.0.1.',
    ],
  },
  {
    what: 'a key of an unknown person',
    given: { file: { people: ['anna'], apiKeys: [{ key: 'k', person: 'ben' }] } },
    says: [
      'apiKeys (FILE): a key belongs to ben, who is not one of the people\n    Add ben to people, or choose from: anna.',
    ],
  },
  {
    what: 'an assistant with misspelled tools',
    given: {
      file: {
        mcpServers: { memory: { command: 'a' } },
        assistants: [{ name: 'lab', label: 'Lab', systemPrompt: 'Help.', tools: ['vault', 'memroy'] }],
      },
    },
    says: [
      'assistants (FILE): the assistant lab uses the tools of memroy, which does not exist\n    Did you mean memory?',
    ],
  },
  {
    what: 'an assistant with unknown tools',
    given: {
      file: { assistants: [{ name: 'lab', label: 'Lab', systemPrompt: 'Help.', tools: ['telescope'] }] },
    },
    says: [
      'assistants (FILE): the assistant lab uses the tools of telescope, which does not exist\n    Add telescope to mcpServers, or choose from: vault, web, linkedin, artifacts, recipes.',
    ],
  },
  {
    what: 'a file with a missing comma',
    given: { file: '{\n  "port": 1\n  "host": "secret-looking"\n}' },
    says: [
      'FILE: invalid JSON at line 3, column 3\n    Look for a missing comma, quote or bracket, or for comments.',
    ],
  },
  {
    what: 'a file that is not an object',
    given: { file: '[]' },
    says: ['FILE: expected an object\n    Put the settings between { and }.'],
  },
  {
    what: 'several things at once',
    given: {
      file: { prot: 1, host: '::', limits: { toolSeconds: 0 } },
      environment: { PARLEY_PEOPLE: 'Anna', ANTHROPIC_BASE_URL: 'ftp://x' },
    },
    says: [
      'people[0] (PARLEY_PEOPLE): a name is 1 to 32 of a-z, 0-9, - and _, and starts with a letter or digit, found "Anna"\n    Use short lowercase names, such as sebastian,petra.',
      'anthropic.baseUrl (ANTHROPIC_BASE_URL): expected an http or https address, found a string (hidden)\n    Use an address such as https://api.anthropic.com, without a user name or password.',
      'limits.toolSeconds (FILE): expected 1 or more, found 0\n    A tool call that takes longer fails. Waiting for permission does not count.',
      'prot (FILE): unknown key\n    Did you mean port?',
      'host (FILE): other machines could reach Parley at ::, but no API key or password is configured\n    Set PARLEY_API_KEY or FAMILY_PASSWORD to a long random value, or listen on 127.0.0.1.',
    ],
  },
];

describe('problems of a configuration', () => {
  it.each(badConfigs)('says what is wrong with $what', ({ given, says }) => {
    const { current, load } = configFolder();
    const file = join(current, 'parley.config.json');
    const { problems } = load(given);
    expect(problems.map((problem) => formatProblem(problem).replaceAll(file, 'FILE'))).toEqual(says);
  });

  it('reports a missing file that was given with --config', () => {
    const { current, load } = configFolder();
    const { problems } = load({ flags: { config: 'nowhere.json' } });
    expect(formatProblems(problems)).toBe(
      `The configuration has a problem:\n\n  ${join(current, 'nowhere.json')}: the file does not exist\n    Check the path after --config.`,
    );
  });

  it('lets other machines reach Parley if there is a secret', () => {
    const { load } = configFolder();
    const environment = { PARLEY_HOST: '0.0.0.0' };
    const hash = { sha256: 'a'.repeat(64) };
    expect(load({ environment: { ...environment, PARLEY_API_KEY: 'secret' } }).problems).toEqual([]);
    expect(load({ environment, file: { apiKeys: [hash] } }).problems).toEqual([]);
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost', 'LOCALHOST'])('treats %s as loopback', (host) => {
    const { load } = configFolder();
    expect(load({ environment: { PARLEY_HOST: host } }).problems).toEqual([]);
  });

  it.each(['0.0.0.0', '::', '192.168.1.4', 'example.org', '127.example.org'])(
    'treats %s as an address that other machines can reach',
    (host) => {
      const { load } = configFolder();
      expect(load({ environment: { PARLEY_HOST: host } }).problems).toMatchObject([{ key: 'host' }]);
    },
  );

  it('accepts any JSON and always returns a usable configuration', () => {
    const folder = configFolder();
    const key = fc.constantFrom(
      'port',
      'people',
      'limits',
      'anthropic',
      'apiKeys',
      'log',
      '__proto__',
      'constructor',
    );
    const inner = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('apiKey', 'level', 'key', '__proto__', 'toString'), fc.jsonValue()),
      fc.array(fc.dictionary(fc.constantFrom('key', 'sha256', 'person', 'name'), fc.jsonValue())),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(key, inner)), (entries) => {
        const members = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
        const { config, problems } = folder.load({ file: `{${members.join(',')}}` });
        expect(config.limits.toolSeconds).toBeGreaterThan(0);
        expect(config.people.length).toBeGreaterThan(0);
        for (const problem of problems) expect(formatProblem(problem)).toMatch(/^.+\n {4}.+$/s);
      }),
      { numRuns: 300 },
    );
  });
});
