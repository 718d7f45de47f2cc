// The WebSocket of a session's terminal: binary messages are bytes of the screen and the keyboard, text messages change its
// size. The terminal keeps running when its viewers leave.
import { ParleyError, TerminalResize } from '@parley/protocol';
import type { RawData, WebSocket } from 'ws';
import type { CodeSessions } from '../../domain/code-sessions.ts';
import type { TerminalLink, Terminals, TerminalViewer } from '../../domain/terminal.ts';
import { type SocketHandler, type SocketRequest, sessionOf } from './socket-request.ts';
import { closeCodes, SocketWriter, type WriterLimits } from './socket-writer.ts';

export interface TerminalSocketOptions {
  readonly sessions: Pick<CodeSessions, 'get'>;
  readonly terminals: Terminals;
  readonly writer: WriterLimits;
}

export function terminalSockets({
  sessions,
  terminals,
  writer: limits,
}: TerminalSocketOptions): SocketHandler {
  return async (request) => {
    const { id } = await sessions.get(request.person, sessionOf(request));
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
      writer.close(closeCodes.failed, ParleyError.from(error).message);
    }
  }
}

/** The screen of one viewer: the backlog comes first, whatever the terminal prints meanwhile. */
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

  ended(reason: string): void {
    this.#writer.close(closeCodes.ended, reason);
  }
}

/** Ignores everything else: a terminal has nowhere to show an error but its own screen. */
function take(data: RawData, isBinary: boolean, link: TerminalLink): void {
  if (isBinary) {
    link.write(data as Buffer);
    return;
  }
  const resize = TerminalResize.safeParse(parsed((data as Buffer).toString()));
  if (resize.success) link.resize(resize.data.cols, resize.data.rows);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bytesOf(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
