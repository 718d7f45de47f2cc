// Where to look for the program, and in which order.
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverProgram, programCommand } from '../../src/index.ts';

describe('the program', () => {
  let root: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'claude-cli-find-')));
    const nested = 'node_modules/@anthropic-ai/claude-code/node_modules/@anthropic-ai';
    await program(join(root, 'bin/claude'));
    await program(join(root, `app/${nested}/claude-code-${process.platform}-${process.arch}/claude`));
    await writeFile(
      join(root, `app/${nested}/claude-code-${process.platform}-${process.arch}/package.json`),
      '{}',
    );
    // The real package is not a module: there is nothing to import.
    await writeFile(join(root, 'app/node_modules/@anthropic-ai/claude-code/package.json'), '{}');
    await program(join(root, 'app/node_modules/@anthropic-ai/claude-code/bin/claude.exe'));
    await mkdir(join(root, 'app/node_modules/.bin'));
    await symlink('../@anthropic-ai/claude-code/bin/claude.exe', join(root, 'app/node_modules/.bin/claude'));
    await mkdir(join(root, 'old/node_modules/@anthropic-ai/claude-code'), { recursive: true });
    await writeFile(join(root, 'old/node_modules/@anthropic-ai/claude-code/package.json'), '{}');
    await writeFile(join(root, 'old/node_modules/@anthropic-ai/claude-code/cli.js'), '');
    await mkdir(join(root, 'notes'));
    await writeFile(join(root, 'notes/claude'), 'not a program');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  async function program(path: string): Promise<void> {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o755);
  }

  it('is the one at the given path, or an error that names the path', () => {
    expect(discoverProgram({ program: join(root, 'bin/claude'), searchPath: '' })).toBe(
      join(root, 'bin/claude'),
    );
    expect(() => discoverProgram({ program: join(root, 'notes/claude') })).toThrow(
      join(root, 'notes/claude'),
    );
    expect(() => discoverProgram({ program: root })).toThrow('no executable program');
  });

  it('is found on PATH before any package', () => {
    expect(discoverProgram({ searchPath: `${join(root, 'notes')}:${join(root, 'bin')}` })).toBe(
      join(root, 'bin/claude'),
    );
  });

  it('is not confused with the placeholder in its package if install scripts did not run', () => {
    const searchPath = `${join(root, 'app/node_modules/.bin')}:${join(root, 'bin')}`;
    expect(discoverProgram({ searchPath })).toBe(join(root, 'bin/claude'));
  });

  it('is found in an installed package, or below the package that depends on it', () => {
    expect(discoverProgram({ searchPath: '' })).toMatch(/claude-agent-sdk-.*claude(\.exe)?$/);
    const found = discoverProgram({ searchPath: '', resolveFrom: [join(root, 'app/index.js')] });
    expect(found).toContain(join(root, 'app'));
    expect(found).toContain(`claude-code-${process.platform}-${process.arch}`);
  });

  it('is the script in an older package, which runs in this Node [driver.versions.script]', () => {
    const script = join(root, 'old/node_modules/@anthropic-ai/claude-code/cli.js');
    expect(discoverProgram({ searchPath: '', resolveFrom: [join(root, 'old/index.js')] })).toBe(script);
    expect(discoverProgram({ program: script })).toBe(script);
    expect(programCommand(script)).toEqual({ file: process.execPath, args: [script] });
    // A binary is newer, so it comes first wherever it is.
    const both = [join(root, 'old/index.js'), join(root, 'app/index.js')];
    expect(discoverProgram({ searchPath: '', resolveFrom: both })).toContain(join(root, 'app'));
  });

  it('that is missing is an error that says what to do', () => {
    expect(() =>
      discoverProgram({ searchPath: 'relative', resolveFrom: [join(root, 'notes/x.js')] }),
    ).toThrow(
      'Install @anthropic-ai/claude-code with its optional dependencies, or set the path of the program.',
    );
  });
});
