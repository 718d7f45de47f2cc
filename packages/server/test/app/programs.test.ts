// docs/programs.md and the README as a stranger uses them: starts the whole server in demo mode and runs every command
// and every program of the page unchanged, in a folder outside of this workspace.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import {
  ChatEvent,
  CodeClientMessage,
  CodeServerMessage,
  LiveClientMessage,
  LiveServerMessage,
  SessionEvent,
  StreamLine,
} from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunningApp } from '../../src/app.ts';
import { asPattern, blocksOf, joined, PageShell, sectionsOf } from '../support/page-commands.ts';
import { startServer } from '../support/whole-server.ts';

const root = join(import.meta.dirname, '../../../..');
const examples = join(import.meta.dirname, '../../examples');
const page = readFileSync(join(root, 'docs/programs.md'), 'utf8');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const key = 'a-key-for-everybody-of-this-test';
const petrasKey = 'a-key-for-petra-in-this-test';
const timeout = 180_000;

let folder: string;
let app: RunningApp;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-programs-')));
  const [keys = ''] = blocksOf(page, 'json');
  await writeFile(join(folder, 'parley.config.json'), keys.replace('…', sha256(petrasKey)));
  app = await startServer(folder, { environment: { PARLEY_DEMO: '1', PARLEY_API_KEY: key } });
  environment = {
    HOME: folder,
    PATH: await pathWithCurl(),
    PARLEY_URL: app.url,
    PARLEY_API_KEY: key,
    PETRAS_KEY: petrasKey,
  };
  await installExamples(join(folder, 'programs'));
}, timeout);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}, timeout);

describe('a section of docs/programs.md', { timeout }, () => {
  let shell: PageShell;
  beforeAll(() => {
    shell = new PageShell(join(folder, 'programs'), environment);
  });
  afterAll(() => shell.close());

  it.each(sectionsOf(page))('shows what its commands print: $heading', async ({ steps }) => {
    for (const { command, expected } of steps) {
      const printed = await shell.run(filledIn(command));
      expect(`$ ${command}\n${printed}`).toMatch(asPattern(`$ ${command}\n${expected}`));
    }
  });
});

describe('the README', { timeout }, () => {
  it('shows what its commands print, except those that need a browser', async () => {
    const shell = new PageShell(folder, environment);
    onTestFinished(() => shell.close());
    const [, tried = ''] = /<!-- try:begin -->([\s\S]*)<!-- try:end -->/.exec(readme) ?? [];
    const steps = sectionsOf(tried).flatMap((section) => section.steps);
    expect(steps).toHaveLength(2);
    for (const { command, expected } of steps) {
      const printed = await shell.run(filledIn(command));
      expect(joined(printed)).toMatch(asPattern(joined(expected)));
    }
  });
});

describe('an example of docs/programs.md', { timeout }, () => {
  it('is shown unchanged, and none is missing', () => {
    const shown = Array.from(
      page.matchAll(/<!-- packages\/server\/examples\/(\S+) -->\n\n```js\n([\s\S]*?)```/g),
      ([, name, code]) => [name, code],
    );
    const kept = readdirSync(examples).filter((name) => name.endsWith('.mjs'));
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(kept.map((name) => [name, readFileSync(join(examples, name), 'utf8')])),
    );
    expect(blocksOf(page, 'js')).toHaveLength(kept.length);
  });

  it('loses nothing when its connection breaks', async () => {
    const kitchen = start('kitchen.mjs');
    await kitchen.ended;
    const numbers = Array.from({ length: 30 }, (_, at) => at + 1).join(', ');
    await kitchen.prints(asPattern(`${numbers}.\n[done]`), (text) =>
      text.replace('\n[the connection is lost]\n', ''),
    );
  });

  it('reports what happens in other sessions', async () => {
    const listener = start('notifications.mjs');
    await listener.prints(/\[listening\]/);
    await start('conversation.mjs').ended;
    const [expected = ''] = blocksOf(page, 'text');
    await listener.prints(asPattern(expected.trimEnd()));
  });

  it("shows the program's screen and types into it", async () => {
    const terminal = start('terminal.mjs');
    // The program may draw a word in several steps.
    const read = stripVTControlCharacters;
    await terminal.prints(/shortcuts/, read);
    terminal.type('Hello');
    await terminal.prints(/Hello/, read);
    terminal.type('\r');
    await terminal.prints(/scripted/, read);
    // As the page says, and once more if the first one only stopped the answer.
    const leaving = setInterval(() => terminal.type('\u0003'), 500);
    expect(await terminal.ended.finally(() => clearInterval(leaving))).toMatch(/\[closed: 1000 /);
  });
});

describe('the table of events in docs/programs.md', () => {
  it('has every event of every wire', () => {
    const rows = Array.from(
      page.matchAll(/^\| ([A-Z][^|]*`[^|]*) \| (`[^|]*) \|$/gm),
      ([, wire = '', names = '']) => [
        wire.trim(),
        Array.from(names.matchAll(/`([^`]+)`/g), ([, name]) => name),
      ],
    );
    expect(Object.fromEntries(rows)).toEqual({
      'Notes, `type` of a line': StreamLine.options.map(({ shape }) => shape.type.value),
      'Kitchen, `event`': ChatEvent.options.map(({ shape }) => shape.event.value),
      'Sessions, `event.type` in `data`': SessionEvent.options.map(({ shape }) => shape.type.value),
      'Claude Code, `type`, from the server': CodeServerMessage.options.map(({ shape }) => shape.type.value),
      'Claude Code, `type`, to the server': CodeClientMessage.options.map(({ shape }) => shape.type.value),
      'Live connection, `type`, from the server': LiveServerMessage.options.map(
        ({ shape }) => shape.type.value,
      ),
      'Live connection, `type`, to the server': LiveClientMessage.options.map(
        ({ shape }) => shape.type.value,
      ),
      'Notifications, `event`': ['claude-session-updated', 'permission-waiting', 'mentioned', 'turn-ended'],
    });
  });
});

/** What each reader fills in. */
function filledIn(command: string): string {
  return command.replace(/KEY=….*/, `KEY=${key}`).replaceAll('http://127.0.0.1:4710', app.url);
}

interface RunningProgram {
  /** Everything it printed. */
  readonly ended: Promise<string>;
  type(keys: string): void;
  /** Waits until it has printed this after the last input. */
  prints(pattern: RegExp, read?: (text: string) => string): Promise<void>;
}

function start(name: string): RunningProgram {
  const program = spawn(process.execPath, [name], { cwd: join(folder, 'programs'), env: environment });
  let printed = '';
  let typedAt = 0;
  const ended = once(program, 'close').then(() => printed);
  onTestFinished(async () => {
    program.kill();
    await ended;
  });
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (text: Buffer) => {
      printed += text.toString();
    });
  return {
    ended,
    type(keys) {
      typedAt = printed.length;
      program.stdin.write(keys);
    },
    async prints(pattern, read = (text) => text) {
      await expect.poll(() => read(printed.slice(typedAt)).trimEnd()).toMatch(pattern);
    },
  };
}

/** What a stranger has: the files, and the package that the page says to install. */
async function installExamples(project: string): Promise<void> {
  await mkdir(join(project, 'node_modules'), { recursive: true });
  await symlink(
    dirname(fileURLToPath(import.meta.resolve('ws/package.json'))),
    join(project, 'node_modules/ws'),
  );
  for (const name of readdirSync(examples).filter((file) => file.endsWith('.mjs')))
    await writeFile(join(project, name), readFileSync(join(examples, name)));
}

/** The machine's own curl if it is new enough. */
async function pathWithCurl(): Promise<string> {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  if (hasCurl()) return path;
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const standIn = join(import.meta.dirname, '../support/curl.mjs');
  await writeFile(join(bin, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${standIn}' "$@"\n`);
  await chmod(join(bin, 'curl'), 0o755);
  return `${bin}:${path}`;
}

function hasCurl(): boolean {
  try {
    const [, major, minor] =
      /^curl (\d+)\.(\d+)/.exec(execFileSync('curl', ['--version'], { encoding: 'utf8' })) ?? [];
    return Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 84);
  } catch {
    return false;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
