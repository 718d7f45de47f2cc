// Lines in the program's format, for handmade transcripts.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

interface ChatOptions {
  readonly uuid?: string;
  readonly timestamp?: string;
  readonly isMeta?: boolean;
  readonly isSidechain?: boolean;
  readonly cwd?: string;
  readonly gitBranch?: string;
  readonly [key: string]: unknown;
}

const chat = { parentUuid: null, isSidechain: false, cwd: '/home/ada/bakery', gitBranch: 'main' };

export function userLine(content: unknown, options: ChatOptions = {}): string {
  const message = { role: 'user', content };
  const uuid = randomUUID();
  return JSON.stringify({
    ...chat,
    type: 'user',
    message,
    uuid,
    timestamp: '2026-01-02T03:04:05.000Z',
    ...options,
  });
}

export function assistantLine(text: string, options: ChatOptions = {}): string {
  const message = {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
  };
  const uuid = randomUUID();
  return JSON.stringify({
    ...chat,
    message,
    type: 'assistant',
    uuid,
    timestamp: '2026-01-02T03:04:06.000Z',
    ...options,
  });
}

/** A long bookkeeping line that no reader should have to parse. */
export function snapshotLine(size: number): string {
  const shape = { system: [{ type: 'text', text: 'say "x" \\ '.repeat(Math.ceil(size / 13)) }] };
  return JSON.stringify({ type: 'api-request-shape', sessionId: randomUUID(), shape });
}

export function titleLine(customTitle: string): string {
  return JSON.stringify({ type: 'custom-title', customTitle, sessionId: randomUUID() });
}

export function line(type: string, fields: object): string {
  return JSON.stringify({ type, ...fields });
}

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-transcripts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a transcript and returns its path. `minutesAgo` sets the time of its last change. */
export async function writeTranscript(
  root: string,
  lines: readonly (string | Buffer)[],
  options: { readonly id?: string; readonly project?: string; readonly minutesAgo?: number } = {},
): Promise<string> {
  const file = join(root, options.project ?? '-home-ada-bakery', `${options.id ?? randomUUID()}.jsonl`);
  await mkdir(dirname(file), { recursive: true });
  const newline = Buffer.from('\n');
  // Renamed into place, so that an index that watches the folder never sees an empty file.
  const draft = `${file}.draft`;
  await writeFile(draft, Buffer.concat(lines.flatMap((text) => [Buffer.from(text), newline])));
  if (options.minutesAgo !== undefined) {
    const time = new Date(Date.now() - options.minutesAgo * 60_000);
    await utimes(draft, time, time);
  }
  await rename(draft, file);
  return file;
}
