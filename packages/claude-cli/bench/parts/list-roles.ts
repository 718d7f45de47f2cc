// The measured ways to list sessions, each in its own process so that time and peak memory are its own.
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryIndexCache, type SessionEntry, SessionIndex } from '../../src/index.ts';

const BLOCK = 64 * 1024;

/** What a role measured: milliseconds by name, and lists to compare. */
export interface Measured {
  readonly ms: Readonly<Record<string, number>>;
  readonly list?: readonly (readonly [sessionId: string, title: string])[];
}

export const roles: Readonly<Record<string, (root: string) => Promise<Measured> | Measured>> = {
  nothing: () => ({ ms: {} }),
  floorStat,
  floorRead,
  sdk,
  firstPage: (root) => parley(root, 'firstPage'),
  whole: (root) => parley(root, 'whole'),
  fullParse,
};

function floorStat(root: string): Measured {
  const statAll = time(() => {
    for (const file of allFiles(root)) statSync(file);
  });
  return { ms: { statAll } };
}

/** Reads 64 KB at the head and the tail of every file without looking at them. */
function floorRead(root: string): Measured {
  const buffer = Buffer.allocUnsafe(BLOCK);
  const readAll = time(() => {
    for (const file of allFiles(root)) {
      const fd = openSync(file, 'r');
      const { size } = fstatSync(fd);
      readSync(fd, buffer, 0, BLOCK, 0);
      readSync(fd, buffer, 0, BLOCK, Math.max(0, size - BLOCK));
      closeSync(fd);
    }
  });
  return { ms: { readAll } };
}

async function sdk(root: string): Promise<Measured> {
  process.env['CLAUDE_CONFIG_DIR'] = dirname(root);
  // Loaded only here: its megabytes of code would slow down the others.
  const { listSessions } = await import('@anthropic-ai/claude-agent-sdk');
  const start = performance.now();
  await listSessions();
  return { ms: { whole: performance.now() - start } };
}

async function parley(root: string, kind: 'firstPage' | 'whole'): Promise<Measured> {
  const ms: Record<string, number> = {};
  const clock = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    ms[name] = performance.now() - start;
    return result;
  };

  if (kind === 'firstPage') {
    const index = new SessionIndex({ root });
    await clock('firstPage', () => index.list({ limit: 50 }));
    await index.close();
    return { ms };
  }

  const cache = new MemoryIndexCache();
  const cold = new SessionIndex({ root, cache });
  const all = await clock('whole', () => cold.list({ limit: Number.MAX_SAFE_INTEGER }));
  await cold.close();

  const warm = new SessionIndex({ root, cache, watch: true });
  await clock('cached', () => warm.list({ limit: 50 }));
  const page = await warm.list({ limit: 50 });
  await clock('laterPage', () => warm.list({ limit: 50, cursor: page.next }));

  const list = all.sessions.map(({ sessionId, title }) => [sessionId, title] as const);
  await growOne(all.sessions.at(-1), warm, clock);
  await warm.close();
  return { ms, list };
}

/** Measures from the file system's notification to a page that shows the growth. */
async function growOne(
  entry: SessionEntry | undefined,
  index: SessionIndex,
  clock: (name: string, work: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  if (!entry) return;
  const before = statSync(entry.file);
  appendFileSync(entry.file, `${JSON.stringify({ type: 'tag', tag: 'grown' })}\n`);
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  let page: Awaited<ReturnType<SessionIndex['list']>> | undefined;
  await clock('oneGrew', async () => {
    page = await index.list({ limit: 50 });
  });
  if (page?.sessions[0]?.tag !== 'grown')
    throw new Error(`the page does not show the appended line (${before.size} bytes)`);
}

/** Parses every line of every file: what the list should be. */
function fullParse(root: string): Measured {
  const sessions = allFiles(root).map((file) => ({
    file,
    mtimeMs: statSync(file).mtimeMs,
    title: titleByFullParse(file),
  }));
  sessions.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.file < b.file ? -1 : 1));
  return { ms: {}, list: sessions.map(({ file, title }) => [idOf(file), title] as const) };
}

function titleByFullParse(file: string): string {
  const found: Record<string, string> = {};
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as { type: string; message?: { content: unknown }; [key: string]: unknown };
    if (line.type === 'custom-title') found['custom'] = String(line['customTitle']);
    if (line.type === 'ai-title') found['generated'] = String(line['aiTitle']);
    if (line.type === 'summary') found['summary'] = String(line['summary']);
    if (line.type === 'user' && typeof line.message?.content === 'string')
      found['prompt'] ??= line.message.content;
  }
  const title = found['custom'] ?? found['generated'] ?? found['summary'] ?? found['prompt'] ?? '';
  const flat = title.replace(/\s+/g, ' ').trim();
  return flat.length > 200 ? `${flat.slice(0, 199).trimEnd()}…` : flat;
}

function idOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1, -'.jsonl'.length);
}

function allFiles(root: string): string[] {
  return readdirSync(root).flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(root, folder, name)),
  );
}

function time(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
