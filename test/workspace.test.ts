// The script behind `npm start` and `npm test`: it installs and builds only what is stale.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const outputs = [
  'server/dist/main.js',
  'claude-cli/dist/index.js',
  'recipe-vault/dist/main.js',
  'web/dist/index.html',
  'web/dist/help/index.html',
];
let root: string;

/** A workspace in which npm and the build only record that they were called. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-workspace-'));
  cpSync(new URL('../scripts/workspace.mjs', import.meta.url), join(root, 'scripts/workspace.mjs'));
  for (const name of ['server', 'web']) {
    mkdirSync(join(root, 'packages', name, 'src'), { recursive: true });
    writeFileSync(join(root, 'packages', name, 'package.json'), '{}');
  }
  writeFileSync(join(root, 'package.json'), '{"type": "module"}');
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/npm'), '#!/bin/sh\nmkdir -p node_modules\necho "npm $1" >> calls\n', {
    mode: 0o755,
  });
  writeFileSync(
    join(root, 'scripts/build.mjs'),
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
     import { dirname } from 'node:path';
     appendFileSync('calls', 'build\\n');
     for (const file of ${JSON.stringify(outputs)}) {
       mkdirSync(dirname('packages/' + file), { recursive: true });
       writeFileSync('packages/' + file, '');
     }`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a server started by npm', () => {
  it('ends when the shell that npm started for it ends', async () => {
    const server = 'console.log(process.pid); setInterval(() => {}, 1_000)';
    writeFileSync(
      join(root, 'scripts/start.mjs'),
      `import { runAndExit } from './workspace.mjs';\nrunAndExit(process.execPath, ['-e', ${JSON.stringify(server)}]);`,
    );
    const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/start.mjs; true`], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { npm_lifecycle_event: 'start' },
    });
    const [output] = await once(shell.stdout, 'data');
    const pid = Number(String(output));
    expect(isRunning(pid)).toBe(true);
    shell.kill('SIGTERM');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

describe('the workspace', () => {
  it('is installed and built once, and again only when something changed', () => {
    expect(prepare()).toEqual(['npm ci', 'build']);
    expect(prepare()).toEqual([]);

    writeFileSync(join(root, 'packages/web/src/page.ts'), '1');
    expect(prepare()).toEqual(['build']);
    for (const file of ['locales/de.po', 'scripts/service-worker-plugin.ts']) {
      mkdirSync(dirname(join(root, 'packages/web', file)), { recursive: true });
      writeFileSync(join(root, 'packages/web', file), '1');
      expect(prepare()).toEqual(['build']);
    }
    writeFileSync(join(root, 'packages/web/package.json'), '{"dependencies": {}}');
    expect(prepare()).toEqual(['npm install']);
    rmSync(join(root, 'packages/server/dist'), { recursive: true });
    expect(prepare()).toEqual(['build']);
    expect(prepare()).toEqual([]);
  });

  it('does not count as built after a failed build', () => {
    const script = join(root, 'scripts/build.mjs');
    const works = readFileSync(script, 'utf8');
    appendFileSync(script, '\nprocess.exit(3);');
    expect(run().status).toBe(3);
    writeFileSync(script, works);
    expect(prepare()).toContain('build');
  });

  it('says which Node it needs, and does nothing on an older one', () => {
    const older = 'Object.defineProperty(process.versions, "node", { value: "18.20.4" })';
    const { status, stderr } = run('--import', `data:text/javascript,${encodeURIComponent(older)}`);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'parley: this is Node 18.20.4. Install 20.19 or newer, then try again.\n',
    });
    expect(existsSync(join(root, 'calls'))).toBe(false);
  });
});

/** Which commands were called to update the workspace. */
function prepare(): readonly string[] {
  const calls = join(root, 'calls');
  rmSync(calls, { force: true });
  expect(run()).toMatchObject({ status: 0 });
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
}

function run(...flags: readonly string[]) {
  const script = `import { ensureBuilt, ensureInstalled } from './scripts/workspace.mjs';
    ensureInstalled();
    ensureBuilt();`;
  return spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: [join(root, 'bin'), '/usr/bin', '/bin'].join(delimiter) },
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
