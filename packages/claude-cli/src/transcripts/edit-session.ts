// Renames, archives, rewinds and deletes a session in the program's own format, so that its list shows the change too.
// Safe while the program appends to the same transcript.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NEWLINE } from '../frames/line-splitter.ts';
import { sessionIdOf, sideFolderOf } from './location.ts';
import { openReal, requireRealFolder } from './real-file.ts';

const MAX_TITLE = 200;
/** How long to wait for the program to finish the line it is writing. */
const LINE_WAIT = { tries: 10, ms: 20 };

/**
 * Sets the title of a session: writes a `custom-title` line to its transcript, and the same title to the file next to
 * it, which the program reads once the line is far from the end. Returns the title as written.
 */
export async function renameSession(file: string, title: string): Promise<string> {
  const sessionId = requireSessionId(file);
  const customTitle = cleanTitle(title);
  if (customTitle === '') throw new TypeError('A title must have at least one visible character.');
  await appendLine(file, JSON.stringify({ type: 'custom-title', customTitle, sessionId }));
  await writeNextTo(file, 'custom-title.json', JSON.stringify({ customTitle }));
  return customTitle;
}

/**
 * Continues the session without any of its messages: writes the line that the program writes when somebody goes back to
 * before the first prompt. The messages stay in the transcript. Older versions of the program ignore it.
 */
export async function rewindToStart(file: string): Promise<void> {
  const sessionId = requireSessionId(file);
  await appendLine(file, JSON.stringify({ type: 'last-prompt', leafUuid: null, explicit: true, sessionId }));
}

/** Marks a session as archived or not. A later prompt removes the mark. */
export async function archiveSession(file: string, archived: boolean, now: Date = new Date()): Promise<void> {
  requireSessionId(file);
  const mark = { archived, at: now.toISOString(), by: 'host' };
  await writeNextTo(file, 'archived.json', JSON.stringify(mark));
}

/** Removes the transcript and the folder next to it. End the session's process first. */
export async function deleteSession(file: string): Promise<void> {
  requireSessionId(file);
  await requireRealFolder(dirname(file));
  await rm(file, { force: true });
  await rm(sideFolderOf(file), { recursive: true, force: true });
}

/** Appends the line with a single write, so that it cannot mix with another writer's. */
async function appendLine(path: string, line: string): Promise<void> {
  const file = await openReal(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const atLineStart = await waitForLineStart(file);
    const bytes = Buffer.from(`${atLineStart ? '' : '\n'}${line}\n`);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length) await file.appendFile(bytes.subarray(bytesWritten));
  } finally {
    await file.close();
  }
}

/** False if the last line stays unfinished, as after a crash. Then the caller must end it. */
async function waitForLineStart(file: FileHandle): Promise<boolean> {
  const last = Buffer.alloc(1);
  for (let attempt = 0; attempt < LINE_WAIT.tries; attempt += 1) {
    const { size } = await file.stat();
    if (size === 0) return true;
    await file.read(last, 0, 1, size - 1);
    if (last[0] === NEWLINE) return true;
    await sleep(LINE_WAIT.ms);
  }
  return false;
}

async function writeNextTo(file: string, name: string, text: string): Promise<void> {
  const folder = sideFolderOf(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireRealFolder(folder);
  const target = join(folder, name);
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function cleanTitle(title: string): string {
  const visible = Array.from(title, (character) => (isControl(character) ? ' ' : character)).join('');
  return Array.from(visible.replace(/\s+/g, ' ').trim()).slice(0, MAX_TITLE).join('').trim();
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

function requireSessionId(file: string): string {
  const sessionId = sessionIdOf(basename(file));
  if (sessionId === undefined)
    throw new TypeError('The name of a transcript must be the UUID of its session.');
  return sessionId;
}
