// Where settings come from, and what follows from them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFolder } from './config-folder.ts';

describe('the sources of settings', () => {
  it('works without any settings', () => {
    const { user, load } = configFolder();
    const { config, problems, hints, file } = load({});
    expect({ problems, hints, file }).toEqual({ problems: [], hints: [], file: undefined });
    expect(config).toMatchObject({
      home: join(user, '.parley'),
      host: '127.0.0.1',
      port: 4710,
      demo: true,
      model: 'claude-sonnet-5-5',
      sessions: { persist: true },
      limits: { maxToolIterations: 20 },
    });
  });

  it('lets the environment win over the file, and flags over both [channels.config.order]', () => {
    const { load } = configFolder();
    const { config, origins } = load({
      file: { port: 1, host: '127.0.0.1', model: 'from-file' },
      environment: { PARLEY_PORT: '2', PARLEY_HOST: '127.0.0.2' },
      flags: { port: '3' },
    });
    expect(config).toMatchObject({ port: 3, host: '127.0.0.2', model: 'from-file' });
    expect(origins.get('port')).toEqual({ from: 'flag', name: 'port' });
    expect(origins.get('host')).toEqual({ from: 'environment', name: 'PARLEY_HOST' });
    expect(origins.get('model')).toMatchObject({ from: 'file' });
    expect(origins.get('log.level')).toEqual({ from: 'default' });
  });

  it('keeps the neighbors of an overridden key', () => {
    const { load } = configFolder();
    const { config } = load({
      file: { anthropic: { baseUrl: 'http://127.0.0.1:1', apiKey: 'from-file' } },
      environment: { ANTHROPIC_API_KEY: 'from-environment' },
    });
    expect(config.anthropic.baseUrl).toBe('http://127.0.0.1:1');
    expect(config.anthropic.apiKey?.reveal()).toBe('from-environment');
  });

  it('reads every kind of variable', () => {
    const { user, load } = configFolder();
    const { config, problems } = load({
      environment: {
        PARLEY_HOME: '~/data',
        PARLEY_PORT: ' 8080 ',
        PARLEY_PEOPLE: 'anna, ben,,',
        PARLEY_VAULT_ROOT: '/vaults',
        PARLEY_API_KEY: 'key\n',
        PARLEY_PUBLIC_HOSTS: 'parley.example.org, home.lan',
        PARLEY_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
        PARLEY_MODEL: 'claude-opus-4-5',
        PARLEY_CLAUDE_PATH: '/bin/claude',
        PARLEY_LOG_LEVEL: 'debug',
        ANTHROPIC_API_KEY: 'sk',
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      },
    });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      home: join(user, 'data'),
      dataDir: join(user, 'data'),
      port: 8080,
      people: ['anna', 'ben'],
      vaultRoot: '/vaults',
      publicHosts: ['parley.example.org', 'home.lan'],
      trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
      model: 'claude-opus-4-5',
      claude: { path: '/bin/claude' },
      log: { level: 'debug' },
      demo: false,
    });
    expect(config.apiKey?.reveal()).toBe('key');
  });

  it('treats an empty variable as not set', () => {
    const { load } = configFolder();
    const { config, problems } = load({ environment: { PARLEY_PORT: '', ANTHROPIC_API_KEY: ' ' } });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({ port: 4710, demo: true });
  });

  it('resolves paths in the file against its folder, and paths in flags against the current folder', () => {
    const { current, user, load } = configFolder();
    const elsewhere = join(user, 'conf');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'my.json'), JSON.stringify({ vaultRoot: 'vaults' }));
    const { config, file } = load({ flags: { config: '../user/conf/my.json', home: 'data' } });
    expect(file).toBe(join(elsewhere, 'my.json'));
    expect(config).toMatchObject({ vaultRoot: join(elsewhere, 'vaults'), home: join(current, 'data') });
  });

  it('finds the file in its home if there is none in the current folder', () => {
    const { user, load } = configFolder();
    const home = join(user, '.parley');
    mkdirSync(home);
    writeFileSync(join(home, 'parley.config.json'), '{"port": 5}');
    expect(load({})).toMatchObject({ config: { port: 5 }, file: join(home, 'parley.config.json') });
    expect(load({ file: { port: 6 } }).config.port).toBe(6);
  });

  it('suggests a name for a misspelled variable', () => {
    const { load } = configFolder();
    const { hints, problems } = load({
      environment: { PARLEY_PROT: '1', PARLEY_PEOPEL: 'a', PARLEY_SOMETHING_NEW: '1', OTHER_PORT: '2' },
    });
    expect(problems).toEqual([]);
    expect(hints).toEqual([
      'Parley has no variable PARLEY_PROT. Did you mean PARLEY_PORT?',
      'Parley has no variable PARLEY_PEOPEL. Did you mean PARLEY_PEOPLE?',
    ]);
  });
});

describe('demo mode', () => {
  it.each([
    { key: undefined, demo: undefined, expected: true },
    { key: 'sk', demo: undefined, expected: false },
    { key: 'sk', demo: '1', expected: true },
    { key: undefined, demo: '0', expected: false },
    { key: undefined, demo: 'false', expected: false },
    { key: 'sk', demo: 'yes', expected: true },
  ])('is $expected with the key $key and PARLEY_DEMO=$demo', ({ key, demo, expected }) => {
    const { load } = configFolder();
    const { config } = load({ environment: { ANTHROPIC_API_KEY: key, PARLEY_DEMO: demo } });
    expect(config.demo).toBe(expected);
  });

  it('has its own people and folders, separate from real data', () => {
    const { user, load } = configFolder();
    const { config, origins } = load({});
    expect(config).toMatchObject({
      people: ['sebastian', 'petra'],
      vaultRoot: join(user, '.parley', 'demo', 'notes'),
      dataDir: join(user, '.parley', 'demo'),
    });
    expect(origins.get('people')).toEqual({ from: 'demo' });
  });

  it('uses configured people and vaults', () => {
    const { load } = configFolder();
    const { config } = load({ environment: { PARLEY_PEOPLE: 'anna', PARLEY_VAULT_ROOT: '/vaults' } });
    expect(config).toMatchObject({ demo: true, people: ['anna'], vaultRoot: '/vaults' });
  });

  it('ends with a key: one person, and their notes folder', () => {
    const { user, load } = configFolder();
    const { config } = load({ environment: { ANTHROPIC_API_KEY: 'sk' } });
    expect(config).toMatchObject({
      demo: false,
      people: ['me'],
      vaultRoot: join(user, 'notes'),
      dataDir: join(user, '.parley'),
    });
  });
});
