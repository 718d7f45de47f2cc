// The session map: which session each chat is in. It is stored in the file `sessions.json`, with ids and times but no
// message text, or in a table if servers share a database.
import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SessionId } from '@parley/protocol';
import { z } from 'zod';
import { replaceFile } from '../../../basics/atomic-file.ts';
import type { ChatStore } from '../../../domain/chat-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Logger } from '../../../domain/logger.ts';

/** Unknown fields are kept until the entry is replaced. */
const SessionRecord = z.looseObject({ sessionId: SessionId, updatedAt: z.string() });
type SessionRecord = z.infer<typeof SessionRecord>;

export interface SessionMap {
  /** A conversation is `channel:chatId`. */
  get(conversation: string): Promise<SessionId | undefined>;
  /** Resolves once it is saved. If saving fails, logs that and resolves too. */
  set(conversation: string, id: SessionId): Promise<void>;
  remove(conversation: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
}

/** Stored in a table, so that another server finds it when the bot moves there. */
export function storedSessionMap(chats: ChatStore, clock: Clock, logger: Logger): SessionMap {
  const saved = (write: Promise<void>) =>
    write.catch((error: unknown) => {
      logger.error({ event: 'error', err: error }, 'failed to write the session map');
    });
  return {
    get: (conversation) => chats.find(conversation),
    set: (conversation, id) => saved(chats.put(conversation, id, new Date(clock.now()).toISOString())),
    remove: (conversation) => saved(chats.remove(conversation)),
    move: (from, to) => saved(chats.move(from, to)),
  };
}

/**
 * A JSON object that maps conversations to session ids and times. If writing fails, the map stays in memory. Never
 * rejects. A file that cannot be read is logged and renamed, and an entry that cannot be read is logged and kept,
 * so that nothing is lost.
 */
export async function openSessionMap(file: string, clock: Clock, logger: Logger): Promise<SessionMap> {
  const { records, unreadable } = await load(file, logger);
  let writing: Promise<void> = Promise.resolve();
  let isWriteWaiting = false;

  /** Changes during a write go out together in the next one. */
  function save(): Promise<void> {
    if (isWriteWaiting) return writing;
    isWriteWaiting = true;
    writing = writing.then(async () => {
      isWriteWaiting = false;
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await replaceFile(
          file,
          `${JSON.stringify(Object.fromEntries([...unreadable, ...records]), undefined, 2)}\n`,
        );
      } catch (error) {
        logger.error({ event: 'error', err: error, file }, 'failed to write the session map');
      }
    });
    return writing;
  }

  return {
    get: async (conversation) => records.get(conversation)?.sessionId,
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

interface Loaded {
  readonly records: Map<string, SessionRecord>;
  /** Written back unchanged until their chat has a session. */
  readonly unreadable: ReadonlyMap<string, unknown>;
}

async function load(file: string, logger: Logger): Promise<Loaded> {
  try {
    const loaded = await readSessionMap(file);
    for (const [conversation, value] of loaded.unreadable) {
      const entry = JSON.stringify(value).slice(0, 200);
      const fields = { event: 'error', file, conversation, entry };
      logger.warn(fields, 'failed to read an entry of the session map; it stays in the file');
    }
    return loaded;
  } catch (error) {
    logger.error({ event: 'error', err: error, file }, 'failed to read the session map');
    await rename(file, `${file}.unreadable`).catch(() => undefined);
    return { records: new Map(), unreadable: new Map() };
  }
}

/** Empty if there is no file. Rejects if it cannot be read. */
export async function readSessionMap(file: string): Promise<Loaded> {
  const records = new Map<string, SessionRecord>();
  const unreadable = new Map<string, unknown>();
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const known = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  for (const [conversation, value] of Object.entries(known)) {
    const record = SessionRecord.safeParse(value);
    if (record.success) records.set(conversation, record.data);
    else unreadable.set(conversation, value);
  }
  return { records, unreadable };
}
