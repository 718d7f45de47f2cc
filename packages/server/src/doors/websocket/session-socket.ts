// The WebSocket of a Claude Code session: greets a client, sends what it missed and then what happens, and carries out
// what it asks.
import {
  type CodeServerMessage,
  type ConnectedData,
  type Envelope,
  type FrameEvent,
  meaningsOf,
  ParleyError,
  type PastEntry,
  Seq,
  type Todo,
} from '@parley/protocol';
import type { WebSocket } from 'ws';
import type { ByteAccount } from '../../basics/byte-budget.ts';
import type { Actor } from '../../domain/access.ts';
import { toSessionView } from '../../domain/code-session-view.ts';
import type { CodeSession, CodeSessions } from '../../domain/code-sessions.ts';
import type { Gateway, SessionState } from '../../domain/gateway.ts';
import type { Logger } from '../../domain/logger.ts';
import { toSessionId } from '../session-id.ts';
import type { SocketHandler } from '../socket-request.ts';
import { parseClientMessage } from './client-message.ts';
import { perform } from './commands.ts';
import { Inbox } from './inbox.ts';
import { frameBytes, SeedEncoder, toControlRequest, toQueueData, toSeedTodos } from './seed-messages.ts';
import { closeCodes, SocketWriter, type WriterLimits } from './socket-writer.ts';

export interface SessionSocketOptions {
  readonly gateway: Gateway;
  readonly sessions: CodeSessions;
  readonly logger: Logger;
  readonly demo: boolean;
  /** Characters of one prompt. */
  readonly promptLength: number;
  /** Lines of the transcript that a new client gets. */
  readonly cachedMessages: number;
  readonly writer: WriterLimits;
}

interface Client {
  readonly actor: Actor;
  readonly session: CodeSession;
  /** The number after which it resumes. */
  readonly after: Seq | undefined;
  readonly signal: AbortSignal;
  readonly memory: ByteAccount;
}

/** Where a client begins: what it gets from the past, and the events that follow. */
interface Start {
  readonly state: SessionState;
  readonly todos: readonly Todo[];
  readonly cached: readonly FrameEvent[];
  readonly events: AsyncIterator<Envelope>;
  readonly place: Pick<ConnectedData, 'after' | 'reset'>;
}

export function sessionSockets(options: SessionSocketOptions): SocketHandler {
  const { gateway, sessions, logger } = options;

  return async (request) => {
    const { actor, query, signal, memory } = request;
    // Also lets the gateway adopt a session that was started elsewhere.
    const session = await sessions.open(actor, toSessionId(request.params['id']));
    const after = numberOf(query['after']);
    return (socket) => {
      const writer = new SocketWriter(socket, options.writer);
      serve(socket, writer, { actor, session, after, signal, memory }).catch((error: unknown) => {
        const { code, message } = ParleyError.from(error);
        if (code === 'internal') logger.error({ err: error, session: session.id }, 'failed to serve a page');
        writer.close(
          code === 'lagged' ? closeCodes.lagged : closeCodes.failed,
          code === 'lagged' ? code : message,
        );
      });
    };
  };

  async function serve(socket: WebSocket, writer: SocketWriter, client: Client): Promise<void> {
    const { actor, session, signal, memory } = client;
    const closed = new AbortController();
    socket.once('close', () => closed.abort());
    const onError = (error: unknown) => sendFailure(writer, error);
    const caller = { gateway, actor, id: session.id, promptLength: options.promptLength, onError };
    const inbox = new Inbox(socket, memory, (text) => perform(parseClientMessage(text), caller), onError);
    writer.closeOn(signal);
    const { state, todos, cached, events, place } = await start(client, closed.signal);
    if (!writer.isOpen) return;
    await sendOwn(
      writer,
      greeting(session, state, { ...place, todos: toSeedTodos(todos), cached: cached.length }),
    );
    for (const frame of cached) await writer.send(frameBytes(frame));
    // A client that resumes has seen them, or gets them with the events that it missed.
    if (client.after === undefined || place.reset) {
      for (const { id, request } of state.permissions) {
        const data = { ...toControlRequest(id, request), seq: place.after };
        await sendOwn(writer, { type: 'control_request', data });
      }
    }
    inbox.open();
    if (session.mode === 'ui') gateway.wake(actor, session.id).catch(onError);
    const known = new Set(cached.flatMap(({ uuid }) => uuid ?? []));
    const encoder = new SeedEncoder(state, known);
    for (let next = await events.next(); !next.done; next = await events.next()) {
      for (const message of encoder.encode(next.value)) {
        const waiting = writer.send(message);
        if (waiting) await waiting;
      }
      if (!writer.isOpen) return;
    }
    if (!closed.signal.aborted) writer.close(closeCodes.ended, 'The session was closed.');
  }

  async function start({ actor, session, after }: Client, signal: AbortSignal): Promise<Start> {
    const { id } = session;
    const follow = (from: Seq) =>
      gateway.subscribe(actor, id, { after: from, signal })[Symbol.asyncIterator]();
    const todos = await sessions.todos(actor, id);
    const first = await gateway.state(actor, id);
    if (after !== undefined && after >= first.resumableAfter && after <= first.lastSeq) {
      return { state: first, todos, cached: [], events: follow(after), place: { after, reset: false } };
    }
    // First the newest turn's number, then the lines: what happens in between is in both, so nothing is lost.
    const { entries } = await sessions.past(actor, id, { limit: options.cachedMessages });
    const state = await gateway.state(actor, id);
    const events = follow(first.turnAfter);
    const recent = await readAvailable(events, first.turnAfter, state.lastSeq);
    const lines = framesOf(entries);
    const cached = [...lines, ...missingFrom(lines, framesOf(recent))];
    const place = { after: state.lastSeq, reset: after !== undefined };
    return { state, todos: newestTodos(recent) ?? todos, cached, events, place };
  }

  function greeting(
    session: CodeSession,
    state: SessionState,
    rest: Pick<ConnectedData, 'after' | 'reset' | 'cached' | 'todos'>,
  ): CodeServerMessage {
    const chosen = state.session.engine === 'claude-code' ? state.session.settings : {};
    const models = sessions.models();
    return {
      type: 'connected',
      data: {
        session: toSessionView(session),
        ...(models && { models: [...models] }),
        ...toQueueData(state),
        permissions: state.permissions.map(({ id, request }) => toControlRequest(id, request)),
        model: chosen.model ?? null,
        permission_mode: sessions.permissionMode(session.id) ?? chosen.permissionMode ?? null,
        ...rest,
        demo: options.demo,
      },
    };
  }

  function sendFailure(writer: SocketWriter, thrown: unknown): Promise<void> | undefined {
    const error = ParleyError.from(thrown);
    if (error.code === 'internal') logger.error({ err: thrown }, 'failed to handle a message from a page');
    return sendOwn(writer, { type: 'error', error: error.message });
  }
}

function sendOwn(writer: SocketWriter, message: CodeServerMessage): Promise<void> | undefined {
  return writer.send(JSON.stringify(message));
}

/** Reads the events up to `last`, which exist already. */
async function readAvailable(events: AsyncIterator<Envelope>, after: Seq, last: Seq): Promise<Envelope[]> {
  const read: Envelope[] = [];
  while ((read.at(-1)?.seq ?? after) < last) {
    const next = await events.next();
    if (next.done) break;
    read.push(next.value);
  }
  return read;
}

function framesOf(entries: readonly Pick<PastEntry, 'event'>[]): FrameEvent[] {
  return entries.flatMap(({ event }) => (event.type === 'frame' ? [event] : []));
}

/** Frames that are not among the lines. Pieces of a message that has since arrived in full are left out. */
function missingFrom(lines: readonly FrameEvent[], frames: readonly FrameEvent[]): FrameEvent[] {
  const known = new Set(lines.flatMap(({ uuid }) => uuid ?? []));
  /** Where the unfinished message of each subagent begins, or of the main one. */
  const begins = new Map<string | undefined, number>();
  for (const [index, { subagent, piece }] of frames.entries()) {
    if (piece === 'first') begins.set(subagent, index);
    if (piece === 'last') begins.delete(subagent);
  }
  return frames.filter(({ uuid, subagent, piece }, index) => {
    if (uuid !== undefined && known.has(uuid)) return false;
    return piece === undefined || index >= (begins.get(subagent) ?? Number.POSITIVE_INFINITY);
  });
}

function newestTodos(envelopes: readonly Envelope[]): readonly Todo[] | undefined {
  const lists = envelopes.flatMap(({ event }) =>
    meaningsOf(event).flatMap((meaning) => (meaning.type === 'todos' ? [meaning.todos] : [])),
  );
  return lists.at(-1);
}

/** Anything that isn't a number counts as one that is too old. */
function numberOf(text: string | undefined): Seq | undefined {
  if (text === undefined) return undefined;
  return Seq.safeParse(Number(text)).data ?? -1;
}
