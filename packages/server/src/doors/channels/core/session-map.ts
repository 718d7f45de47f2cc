// Which session a chat is in: `sessions.json`, a JSON object from `channel:chatId` to session id and time. Read once,
// written whole beside the old file and then put in its place. It never holds a word of any message.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SessionId } from '@parley/protocol';
import { z } from 'zod';
import type { Clock } from '../../../domain/clock.ts';
import type { Logger } from '../../../domain/logger.ts';

const SessionRecord = z.object({ sessionId: SessionId, updatedAt: z.iso.datetime() });
type SessionRecord = z.infer<typeof SessionRecord>;

export interface SessionMap {
  get(conversation: string): SessionId | undefined;
  /** Resolves when the file is written. A file that cannot be written is logged, and the map goes on in memory. */
  set(conversation: string, id: SessionId): Promise<void>;
  remove(conversation: string): Promise<void>;
  /** The chat is known by another name from now on. */
  move(from: string, to: string): Promise<void>;
}

/** Never rejects: a file that cannot be read is logged and put aside, so that nothing of it is lost. */
export async function openSessionMap(file: string, clock: Clock, logger: Logger): Promise<SessionMap> {
  const records = await load(file, logger);
  let writing: Promise<void> = Promise.resolve();
  let isWriteWaiting = false;

  /** Changes that come while one is being written go out together with the next. */
  function save(): Promise<void> {
    if (isWriteWaiting) return writing;
    isWriteWaiting = true;
    writing = writing.then(async () => {
      isWriteWaiting = false;
      try {
        await replace(file, `${JSON.stringify(Object.fromEntries(records), undefined, 2)}\n`);
      } catch (error) {
        logger.error(
          { event: 'error', err: error, file },
          'the map of chats and sessions could not be written',
        );
      }
    });
    return writing;
  }

  return {
    get: (conversation) => records.get(conversation)?.sessionId,
    set(conversation, id) {
      records.set(conversation, { sessionId: id, updatedAt: new Date(clock.now()).toISOString() });
      return save();
    },
    remove(conversation) {
      return records.delete(conversation) ? save() : Promise.resolve();
    },
    move(from, to) {
      const record = records.get(from);
      if (!record) return Promise.resolve();
      records.delete(from);
      records.set(to, record);
      return save();
    },
  };
}

async function load(file: string, logger: Logger): Promise<Map<string, SessionRecord>> {
  try {
    const known = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
    const records = Object.entries(known).flatMap(([key, value]): [string, SessionRecord][] => {
      const record = SessionRecord.safeParse(value);
      return record.success ? [[key, record.data]] : [];
    });
    return new Map(records);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    logger.error({ event: 'error', err: error, file }, 'the map of chats and sessions could not be read');
    await rename(file, `${file}.unreadable`).catch(() => undefined);
    return new Map();
  }
}

async function replace(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeSynced(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is safe only when its folder is. Where folders cannot be opened, that is not needed. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
