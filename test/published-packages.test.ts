// The manifests of the published packages match their contents, and nothing tells people to install them by a name that
// somebody else could register before us.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { describe, expect, it } from 'vitest';

describe('a published package', () => {
  it.each(['claude-cli', 'recipe-vault'])('%s has a correct manifest', async (name) => {
    const { messages } = await publint({
      pkgDir: join(import.meta.dirname, '..', 'packages', name),
      strict: true,
    });
    expect(messages).toEqual([]);
  });
});

describe('the documents', () => {
  const root = join(import.meta.dirname, '..');
  const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  // On a command line, or in the configuration of an MCP server.
  const byName = /\b(?:npx|npm (?:i|install|exec|create))\b[^`\n]*@parley\/|"args": \[[^\]]*"@parley\//;

  it('never tell people to install a package of ours from npm, where there are none yet', () => {
    expect(documents.length).toBeGreaterThan(20);
    expect(documents.filter((file) => byName.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('would be caught doing so', () => {
    expect('npx -y @parley/recipe-vault').toMatch(byName);
    expect('npm install --global @parley/claude-cli').toMatch(byName);
    expect('"args": ["-y", "@parley/recipe-vault"]').toMatch(byName);
    expect('npm pack --workspace packages/claude-cli').not.toMatch(byName);
  });
});
