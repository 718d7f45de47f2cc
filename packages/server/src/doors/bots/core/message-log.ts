// The message log: the messages of all chats as lines of JSON, in a file that is rotated by size. Off by default,
// because it contains what people write.
import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../../domain/logger.ts';

export interface MessageLogSettings {
  readonly enabled: boolean;
  readonly path: string;
  readonly maxBytes: number;
  /** Including the current one. */
  readonly maxFiles: number;
}

interface LoggedMessage {
  readonly time: string;
  readonly channel: string;
  readonly conversation: string;
  readonly direction: 'inbound' | 'outbound';
  /** Absent for messages from Parley. */
  readonly senderId?: string;
  readonly text: string;
}

export interface MessageLog {
  add(entry: LoggedMessage): void;
  /** Resolves when everything added so far is written. */
  flush(): Promise<void>;
}

/** Entries that may wait for the disk. New ones beyond that are dropped and counted. */
const maxWaiting = 1_000;

export function openMessageLog(settings: MessageLogSettings, logger: Logger): MessageLog {
  if (!settings.enabled) return { add: () => undefined, flush: () => Promise.resolve() };
  let waiting: string[] = [];
  let dropped = 0;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const lines = waiting;
    waiting = [];
    let written = 0;
    let failure: unknown;
    try {
      for (; written < lines.length; written += 1) await append(lines[written] ?? '', settings);
    } catch (error) {
      failure = error;
    }
    dropped += lines.length - written;
    if (dropped === 0) return;
    logger.error({ event: 'error', err: failure, dropped }, 'lost lines of the message log');
    dropped = 0;
  }

  return {
    add(entry) {
      if (waiting.length >= maxWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(`${JSON.stringify(entry)}\n`);
      if (waiting.length === 1) writing = writing.then(write);
    },
    flush: () => writing,
  };
}

async function append(line: string, settings: MessageLogSettings): Promise<void> {
  const { path, maxBytes } = settings;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 0 && size + Buffer.byteLength(line) > maxBytes) await rotate(settings);
  await appendFile(path, line, { mode: 0o600 });
}

/** `log` becomes `log.1`, `log.1` becomes `log.2`, and so on; the oldest is deleted. */
async function rotate({ path, maxFiles }: MessageLogSettings): Promise<void> {
  const name = (index: number) => (index === 0 ? path : `${path}.${index}`);
  await rm(name(maxFiles - 1), { force: true });
  for (let index = maxFiles - 2; index >= 0; index -= 1) {
    await rename(name(index), name(index + 1)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
