// The WebSocket of a session's terminal: binary messages are bytes of the screen and the keyboard, text messages change its
// size, or report something that the screen does not show. The terminal keeps running when its viewers leave.
import { ParleyError, type Sentence, type TerminalNotice, TerminalResize } from '@parley/protocol';
import type { RawData, WebSocket } from 'ws';
import { parseJson } from '../../content/parse-json.ts';
import type { CodeSessions } from '../../domain/code-sessions.ts';
import type { TerminalLink, Terminals, TerminalViewer } from '../../domain/terminal.ts';
import { toSessionId } from '../session-id.ts';
import type { SocketHandler, SocketRequest } from '../socket-request.ts';
import { closeCodes, SocketWriter, type WriterLimits } from './socket-writer.ts';

export interface TerminalSocketOptions {
  readonly sessions: Pick<CodeSessions, 'open'>;
  readonly terminals: Terminals;
  readonly writer: WriterLimits;
}

export function terminalSockets({
  sessions,
  terminals,
  writer: limits,
}: TerminalSocketOptions): SocketHandler {
  return async (request) => {
    const { id } = await sessions.open(request.actor, toSessionId(request.params['id']));
    return (socket) => void view(socket, request, (viewer) => terminals.attach(request.person, id, viewer));
  };

  async function view(
    socket: WebSocket,
    { signal }: SocketRequest,
    attach: (viewer: TerminalViewer) => Promise<TerminalLink>,
  ): Promise<void> {
    const writer = new SocketWriter(socket, limits);
    writer.closeOn(signal);
    const screen = new Screen(writer);
    // Nothing typed is read before there is a terminal to type into.
    socket.pause();
    try {
      const link = await attach(screen);
      socket.once('close', () => link.detach());
      if (!writer.isOpen) return link.detach();
      screen.begin(link.backlog);
      socket.on('message', (data, isBinary) => take(data, isBinary, link));
      socket.resume();
    } catch (error) {
      socket.resume();
      const { code, message } = ParleyError.from(error);
      writer.close(code === 'conflict' ? closeCodes.taken : closeCodes.failed, message);
    }
  }
}

/** The screen of one viewer: the backlog comes first, before anything that the terminal prints in the meantime. */
class Screen implements TerminalViewer {
  readonly #writer: SocketWriter;
  #early: Uint8Array[] | undefined = [];

  constructor(writer: SocketWriter) {
    this.#writer = writer;
  }

  begin(backlog: Uint8Array): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    if (backlog.length > 0) this.data(backlog);
    for (const chunk of early) this.data(chunk);
  }

  data(chunk: Uint8Array): boolean {
    if (this.#early) {
      this.#early.push(chunk);
      return true;
    }
    void this.#writer.send(bytesOf(chunk), { binary: true });
    return !this.#writer.isBehind;
  }

  notify(message: string): void {
    void this.#writer.send(JSON.stringify({ type: 'notice', message } satisfies TerminalNotice));
  }

  ended(reason: Sentence): void {
    this.#writer.close(closeCodes.ended, reason);
  }
}

/** Ignores everything else: a terminal has nowhere to show an error but its own screen. */
function take(data: RawData, isBinary: boolean, link: TerminalLink): void {
  if (isBinary) {
    link.write(data as Buffer);
    return;
  }
  const resize = TerminalResize.safeParse(parseJson(data as Buffer));
  if (resize.success) link.resize(resize.data.cols, resize.data.rows);
}

function bytesOf(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
