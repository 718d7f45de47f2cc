import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoadedConfig } from '../../src/config/resolve.ts';
import { settingsView } from '../../src/config/settings-view.ts';
import { type ConfigFolder, configFolder, type Given } from './config-folder.ts';

const environment = { ANTHROPIC_API_KEY: 'sk-test-key' };

/** Stores settings as the app does. */
function store({ user }: ConfigFolder, settings: Record<string, unknown> | string): string {
  const home = join(user, '.parley');
  mkdirSync(home, { recursive: true });
  const file = join(home, 'settings.json');
  const units = Object.entries(settings).map(([key, value]) => [key, { value, revision: 1 }]);
  const content = { version: 1, revision: 1, settings: Object.fromEntries(units) };
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(content));
  return file;
}

function loadWith(settings: Record<string, unknown> | string, given: Given = {}): LoadedConfig {
  const folder = configFolder();
  store(folder, settings);
  return folder.load({ environment, ...given });
}

const originOf = ({ origins }: LoadedConfig, key: string) => origins.get(key)?.from;

describe('settings from the app', () => {
  it('win over defaults [team.settings.layer.order]', () => {
    const loaded = loadWith({ model: 'claude-from-the-app' });
    expect(loaded.problems).toEqual([]);
    expect(loaded.config.model).toBe('claude-from-the-app');
    expect(originOf(loaded, 'model')).toBe('app');
  });

  it('lose against the file and the environment [team.settings.layer.order]', () => {
    const loaded = loadWith(
      { model: 'of-the-app', 'log.level': 'debug', caution: 'off' },
      { file: { model: 'of-the-file' }, environment: { ...environment, PARLEY_LOG_LEVEL: 'warn' } },
    );
    expect(loaded.config).toMatchObject({ model: 'of-the-file', log: { level: 'warn' }, caution: 'off' });
    expect(['model', 'log.level', 'caution'].map((key) => originOf(loaded, key))).toEqual([
      'file',
      'environment',
      'app',
    ]);
    expect(loaded.ignored).toEqual([]);
  });

  it('add entries to those of the file, which keeps its own [team.settings.layer.entries]', () => {
    const loaded = loadWith(
      {
        'mcpServers.files': { command: 'app-files' },
        'mcpServers.mail': { command: 'app-mail' },
        'assistants.travel': { label: 'Trips', systemPrompt: 'Of the app.' },
        'assistants.cook': { extends: 'travel', tools: ['mail'] },
      },
      {
        file: {
          mcpServers: { files: { command: 'file-files' } },
          assistants: [{ name: 'travel', label: 'Travel', systemPrompt: 'Of the file.' }],
        },
      },
    );
    expect(loaded.problems).toEqual([]);
    expect(loaded.config.mcpServers).toMatchObject({
      files: { command: 'file-files' },
      mail: { command: 'app-mail' },
    });
    expect(loaded.config.assistants.map(({ name, label }) => [name, label])).toEqual([
      ['travel', 'Travel'],
      ['cook', undefined],
    ]);
    expect(
      ['mcpServers.files', 'mcpServers.mail', 'assistants.travel', 'assistants.cook'].map((key) =>
        originOf(loaded, key),
      ),
    ).toEqual(['file', 'app', 'file', 'app']);
  });

  it('put assistants after those that they extend, in whatever order they were added', () => {
    const loaded = loadWith({
      'assistants.second': { extends: 'first' },
      'assistants.first': { extends: 'notes' },
      'assistants.notes': { extends: 'notes', tools: ['recipes'] },
    });
    expect(loaded.ignored).toEqual([]);
    expect(loaded.config.assistants.map(({ name }) => name)).toEqual(['notes', 'first', 'second']);
  });

  it.each([
    ['a cycle', { 'assistants.one': { extends: 'two' }, 'assistants.two': { extends: 'one' } }],
    ['a wrong value', { 'log.level': 'loud' }],
    ['an unknown key', { 'log.color': 'red' }],
    ['a setting that is not for the app', { host: '0.0.0.0' }],
    ['a whole collection', { mcpServers: { files: { command: 'x' } } }],
    ['a wrong entry', { 'mcpServers.files': { comand: 'x' } }],
    ['an entry that is not an object', { 'assistants.cook': 7 }],
    ['a name that is not allowed', { 'mcpServers.a.b': { command: 'x' } }],
    ['a key of every object', { constructor: 1, toString: 2, 'mcpServers.__proto__': { command: 'x' } }],
  ])('are left out and reported if they are wrong: %s [team.settings.layer.bad-ignored]', (_, bad) => {
    const loaded = loadWith({ ...bad, model: 'still-used' });
    expect(loaded.problems).toEqual([]);
    expect(loaded.ignored.map(({ key }) => key)).not.toEqual([]);
    expect(loaded.ignored.map(({ key }) => key)).not.toContain('model');
    expect(loaded.config.model).toBe('still-used');
    // Each can be removed by the key it is stored under.
    const { ignored } = settingsView(loaded);
    expect(Object.keys(bad)).toEqual(expect.arrayContaining(ignored.map(({ key }) => key)));
    expect(ignored.map(({ revision }) => revision)).not.toContain(0);
  });

  it('are left out if a later change of the file contradicts them [team.settings.layer.bad-ignored]', () => {
    const units = {
      'assistants.mail': { label: 'Mail', systemPrompt: 'Mails.', tools: ['mail'] },
      'assistants.other': { extends: 'notes' },
    };
    const loaded = loadWith(units, { file: { mcpServers: { files: { command: 'x' } } } });
    expect(loaded.problems).toEqual([]);
    expect(loaded.ignored.map(({ key, message }) => `${key}: ${message}`)).toEqual([
      'assistants.mail: the assistant mail uses the tools of mail, which does not exist',
    ]);
    expect(loaded.config.assistants.map(({ name }) => name)).toEqual(['other']);
  });

  it('can complete the file', () => {
    const loaded = loadWith(
      { 'channels.telegram.token': '1:from-the-app' },
      { file: { channels: { telegram: { enabled: true } } } },
    );
    expect(loaded.problems).toEqual([]);
  });

  it.each(['', '{', '[]', '{"version":2,"revision":1,"settings":{}}', '{"version":1,"settings":"x"}'])(
    'are not used if their file is damaged: %s [team.settings.layer.bad-ignored]',
    (text) => {
      const loaded = loadWith(text);
      expect(loaded.problems).toEqual([]);
      expect(loaded.ignored).toMatchObject([{ message: 'the file is damaged' }]);
      expect(loaded.config.model).toBe('claude-sonnet-5-5');
    },
  );

  it('never show a secret in a report [team.settings.secrets.write-only]', () => {
    const secret = 'hunter2-hunter2';
    const loaded = loadWith({
      'mcpServers.files': { command: 'x', env: { 'not a name': secret } },
      'channels.more.helper': { service: 'telegram', token: { secret } },
      'web.brave.apiKey': [secret],
    });
    expect(loaded.ignored).toHaveLength(3);
    expect(JSON.stringify(loaded.ignored)).not.toContain(secret);
  });

  it('are in a file that is made private again', () => {
    const folder = configFolder();
    const file = store(folder, { model: 'x' });
    chmodSync(file, 0o644);
    folder.load({ environment });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
