// What a release changes in files, and how its checksums are signed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isLater, notesOf, releaseChangelog, signArguments, withVersion } from '../scripts/release-text.mjs';

const root = join(import.meta.dirname, '..');

it('moves what is unreleased to a section of its own', () => {
  const first = releaseChangelog('# Changelog\n\n## [Unreleased]\n\n- One\n', '0.1.0', '2026-11-17');
  expect(first).toBe('# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-17\n\n- One\n');
  expect(() => releaseChangelog(first, '0.2.0', '2026-11-18')).toThrow('nothing under Unreleased');

  const second = releaseChangelog(first.replace('ed]\n', 'ed]\n\n- Two\n'), '0.2.0', '2026-11-18');
  expect(notesOf(second, '0.2.0')).toBe('- Two');
  expect(notesOf(second, '0.1.0')).toBe('- One');
  expect(notesOf(second, '0.3.0')).toBeUndefined();
});

it('works on the changelog as it is', () => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  // Right after a release, nothing is unreleased.
  const more = text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- One more thing.\n');
  const released = releaseChangelog(more, '99.0.0', '2099-01-01');
  expect(notesOf(released, '99.0.0')).toMatch(/^- One more thing\./);
  expect(released.split('\n')).toEqual(expect.arrayContaining(text.split('\n')));
});

it('sets the version of a package and of those of this workspace that it needs', () => {
  const text = '{\n  "version": "0.1.0",\n  "dependencies": {"@parley/demo": "^0.1.0", "ws": "^8.0.0"}\n}';
  expect(JSON.parse(withVersion(text, '0.2.0'))).toEqual({
    version: '0.2.0',
    dependencies: { '@parley/demo': '^0.2.0', ws: '^8.0.0' },
  });
});

it('accepts only later versions', () => {
  expect(isLater('0.10.0', '0.9.9')).toBe(true);
  for (const version of ['0.9.9', '0.9.8', '1.0', 'v1.0.0', '1.0.0-beta', ''])
    expect(isLater(version, '0.9.9')).toBe(false);
});

it.skipIf(spawnSync('ssh-keygen', ['-?']).error)(
  'signs checksums so that docs/install.md can check them',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const key = join(folder, 'key');
    const sums = join(folder, 'SHA256SUMS');
    const keygen = (args: readonly string[], input = '') =>
      execFileSync('ssh-keygen', args, { input, stdio: 'pipe' });
    writeFileSync(sums, 'checksums\n');
    keygen(['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    keygen(signArguments(key, sums));
    writeFileSync(join(folder, 'allowed'), `parley ${readFileSync(`${key}.pub`, 'utf8')}`);

    const [, documented = ''] =
      /^ssh-keygen (.*) < SHA256SUMS$/m.exec(readFileSync(join(root, 'docs/install.md'), 'utf8')) ?? [];
    const verify = documented
      .replace('allowed_signers', join(folder, 'allowed'))
      .replace('SHA256SUMS.sig', `${sums}.sig`)
      .split(' ');
    expect(String(keygen(verify, 'checksums\n'))).toContain('Good');
    expect(() => keygen(verify, 'other checksums\n')).toThrow(/verif/i);
  },
);
