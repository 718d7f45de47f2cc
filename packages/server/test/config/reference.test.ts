// The reference matches the schema.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configurationReference } from '../../src/config/reference.ts';
import { allSettings } from '../../src/config/schema.ts';
import { configFolder } from './config-folder.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('docs/configuration.md', () => {
  it('matches the schema', () => {
    expect(readFileSync(join(root, 'docs/configuration.md'), 'utf8')).toBe(configurationReference());
  });

  it('lists every key and every variable', () => {
    const text = configurationReference();
    for (const { key, env, meaning } of allSettings) {
      for (const cell of [`\`${key}\``, env ? `\`${env}\`` : '', meaning])
        expect(text).toContain(`| ${cell} `);
    }
  });

  it('says which numbers need not be whole', () => {
    const typeOf = (key: string) =>
      configurationReference()
        .split('\n')
        .find((row) => row.startsWith(`| \`${key}\``))
        ?.split('|')[3]
        ?.trim();
    expect(typeOf('budgets[].limit')).toMatch(/^number, 0 to/);
    expect(typeOf('limits.queuedPrompts')).toMatch(/^whole number, 1 or more/);
  });

  it('has five columns in every row', () => {
    const [settings = ''] = configurationReference().split('## Settings in the app');
    const rows = settings.split('\n').filter((line) => line.startsWith('|') || line.endsWith('|'));
    expect(rows.length).toBeGreaterThan(allSettings.length);
    for (const row of rows) expect(row).toMatch(/^\|([^|]|\\\|)+(\|([^|]|\\\|)+){4}\|$/);
  });

  it('has a valid example', () => {
    const example = /```json\n(.*?)```/s.exec(configurationReference())?.[1];
    expect(configFolder().load({ file: example }).problems).toEqual([]);
  });
});

describe('npm run generate', () => {
  it('writes the files, and with --check reports the outdated one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-generate-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const generate = (...args: string[]) =>
      spawnSync(process.execPath, ['scripts/generate.mjs', '--into', folder, ...args], {
        cwd: root,
        encoding: 'utf8',
      });

    expect(generate('--check')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('docs/configuration.md'),
    });
    expect(generate()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('wrote docs/configuration.md'),
    });
    expect(generate('--check')).toMatchObject({ status: 0, stdout: 'generated files are up to date\n' });

    expect(readdirSync(join(folder, 'docs')).toSorted()).toEqual(['configuration.md', 'openapi.json']);

    writeFileSync(join(folder, 'docs/configuration.md'), 'changed by hand');
    expect(generate('--check')).toMatchObject({
      status: 1,
      stderr: 'out of date: docs/configuration.md. Run npm run generate and commit the result.\n',
    });
  });
});
