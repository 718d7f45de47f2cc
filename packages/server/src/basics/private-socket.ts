// One question and one answer, both JSON on one line, over a socket in a private folder: whoever may open the file may
// ask. It needs no port and no secret.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { readUpTo } from './read-up-to.ts';

const longestQuestion = 4_096;
const longestAnswer = 8 * 1024 * 1024;
const patienceMs = 10_000;

export interface PrivateSocket {
  close(): Promise<void>;
}

/** Replaces a socket that a crash has left behind. Rejects if the file can't be made, for example if its name is too long. */
export async function listenPrivately(
  file: string,
  answer: (question: unknown) => Promise<unknown>,
): Promise<PrivateSocket> {
  await rm(file, { force: true });
  const open = new Set<Socket>();
  // A client ends its side with the question, and gets the answer on the other.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket.setTimeout(patienceMs, () => socket.destroy()));
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    void respond(socket).catch(() => socket.destroy());
  });
  server.listen(file);
  await once(server, 'listening');

  async function respond(socket: Socket): Promise<void> {
    const question = socket.iterator({ destroyOnReturn: false });
    const { bytes, isWhole } = await readUpTo(question, longestQuestion);
    if (!isWhole) return void socket.destroy();
    socket.end(JSON.stringify(await answer(JSON.parse(bytes.toString()))));
  }

  return {
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether a process listens there, even one that doesn't answer. */
export async function isListening(file: string): Promise<boolean> {
  const socket = createConnection(file);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Undefined if nobody listens there. */
export async function askPrivately(file: string, question: unknown): Promise<unknown> {
  const socket = createConnection({ path: file, allowHalfOpen: true });
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('no answer in time')));
  socket.end(JSON.stringify(question));
  const { bytes, isWhole } = await readUpTo(socket, longestAnswer);
  if (!isWhole) throw new Error('the answer is too long');
  return JSON.parse(bytes.toString());
}
