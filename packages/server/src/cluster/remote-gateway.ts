// The gateway of another server, over Parley's public API: a session there looks local to every door. Each call rejects
// with `moved` if that server can't be reached, so that the caller looks for the owner again.
import { type Http, type RequestOptions, streamEvents, toEnvelope } from '@parley/client';
import {
  type Envelope,
  ParleyError,
  type Prompt,
  type Seq,
  type SessionContext,
  type SessionId,
} from '@parley/protocol';
import type { Actor } from '../domain/access.ts';
import type {
  AdmittedPrompt,
  Gateway,
  PromptRequest,
  SessionState,
  SubscribeOptions,
} from '../domain/gateway.ts';
import { movedAway, type OtherServer } from '../domain/ownership.ts';
import type { Timers } from '../domain/timers.ts';
import type { ServerWatch } from './server-watch.ts';
import { errorOfServer, type Signing, signedHttp } from './signed-http.ts';

export interface RemoteGatewayParts extends Signing {
  readonly server: OtherServer;
  /** Says when the server has stopped, even if it only looks busy. Without it, only the limits below do. */
  readonly watch?: Pick<ServerWatch, 'watch'>;
  /** Called with each event that arrives. */
  readonly onEvent?: (envelope: Envelope) => void;
  readonly timers: Timers;
  /** For calls that only need the shared database. */
  readonly local: Pick<
    Gateway,
    'getSession' | 'createSession' | 'listSessions' | 'turns' | 'pastTurns' | 'search' | 'branches'
  >;
}

/** A server that takes longer to begin its answer is treated as unreachable. */
const answerMs = 10_000;
/** A stream with nothing on it for this long is broken: the other side sends something every five seconds. */
const silentMs = 12_000;
const openMs = 3_000;

export function createRemoteGateway(parts: RemoteGatewayParts): Gateway {
  const { local, timers } = parts;
  const path = (id: SessionId, rest = '') => `/api/sessions/${encodeURIComponent(id)}${rest}`;

  async function ask<T>(actor: Actor, address: string, options: RequestOptions = {}): Promise<T> {
    return inTime(answerMs, undefined, async (signal) => {
      const response = await httpFor(actor).request(address, { ...options, signal });
      return (response.status === 204 ? undefined : await response.json()) as T;
    });
  }

  const post = <T>(actor: Actor, address: string, body: unknown, key?: string) =>
    ask<T>(actor, address, {
      method: 'POST',
      body,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });

  const httpFor = (actor: Actor): Http => signedHttp(parts.server, actor, parts);

  /** Aborts the request when it takes too long, and translates failures into our errors. */
  async function inTime<T>(
    ms: number,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const cancel = timers.after(ms, () => late.abort());
    const stopWatching = parts.watch?.watch(parts.server, () => late.abort());
    try {
      return await work(outer ? AbortSignal.any([outer, late.signal]) : late.signal);
    } catch (error) {
      throw late.signal.aborted ? movedAway() : errorOfServer(error);
    } finally {
      cancel();
      stopWatching?.();
    }
  }

  async function admitted(
    { person, prompt }: Pick<PromptRequest, 'person' | 'prompt'>,
    { session, turnId, after, fresh = true, prompt: earlier = prompt }: Receipt,
  ): Promise<AdmittedPrompt> {
    return { session: await local.getSession(person, session), turnId, fresh, prompt: earlier, after };
  }

  async function* subscribe(
    actor: Actor,
    id: SessionId,
    { after, signal: outer }: SubscribeOptions = {},
  ): AsyncGenerator<Envelope, void, undefined> {
    const broken = new AbortController();
    const signal = outer ? AbortSignal.any([outer, broken.signal]) : broken.signal;
    let cancel = timers.after(openMs, () => broken.abort());
    const stopWatching = parts.watch?.watch(parts.server, () => broken.abort());
    const onBytes = () => {
      cancel();
      cancel = timers.after(silentMs, () => broken.abort());
    };
    const lastId = after === undefined ? undefined : String(after);
    try {
      const options = { lastId, signal, onOpen: onBytes, onBytes };
      for await (const event of streamEvents(httpFor(actor), path(id, '/events'), options)) {
        if (event.data === '') continue;
        const envelope = toEnvelope(event);
        parts.onEvent?.(envelope);
        yield envelope;
      }
    } catch (error) {
      if (outer?.aborted) return;
      throw broken.signal.aborted ? movedAway() : errorOfServer(error);
    } finally {
      cancel();
      stopWatching?.();
      broken.abort();
    }
  }

  return {
    ...local,
    configure: (actor, id, settings) => ask(actor, path(id), { method: 'PATCH', body: { settings } }),
    renameSession: (actor, id, title) => ask(actor, path(id), { method: 'PATCH', body: { title } }),
    deleteSession: (actor, id) => ask(actor, path(id), { method: 'DELETE' }),
    state: async (actor, id) => {
      const { running, ahead, ...state } = await ask<WireState>(actor, path(id, '/state'));
      return { ...state, running: running ?? undefined, ahead: ahead ?? undefined };
    },
    async prompt(request) {
      const { person, session, prompt, door, canAsk, key } = request;
      if (typeof session !== 'string') throw new Error('a new session starts on the server that was asked');
      const body = { forwarded: { prompt, door, ...(canAsk === false && { canAsk }) } };
      const receipt = await post<Omit<Receipt, 'session'>>(person, path(session, '/prompts'), body, key);
      return admitted(request, { ...receipt, session });
    },
    async branch(request) {
      const { person, session, before, prompt, door, canAsk, key } = request;
      const body = { before, forwarded: { prompt, door, ...(canAsk === false && { canAsk }) } };
      const answer = await post<Omit<Receipt, 'session'> & { session: { id: SessionId } }>(
        person,
        path(session, '/branches'),
        body,
        key,
      );
      return admitted(request, { ...answer, session: answer.session.id });
    },
    fork: (actor, id, before, key) => post(actor, path(id, '/forks'), { before }, key),
    context: async (actor, id) =>
      (await ask<SessionContext>(actor, path(id, '/context'))).context ?? undefined,
    async wake(actor, id) {
      try {
        await post(actor, path(id, '/wake'), undefined);
      } catch (error) {
        // Somebody who may only read can't start a process.
        if (!(error instanceof ParleyError) || error.code !== 'forbidden') throw error;
      }
    },
    steer: async (actor, id, prompt, key) => {
      const body = { steer: true, forwarded: { prompt, door: '' } };
      return (await post<{ steered: boolean }>(actor, path(id, '/prompts'), body, key)).steered;
    },
    withdraw: (actor, id, turnId) =>
      found(ask(actor, path(id, `/queue/${encodeURIComponent(turnId)}`), { method: 'DELETE' })),
    reorder: async (actor, id, order) => {
      await ask(actor, path(id, '/queue'), { method: 'PUT', body: { order } });
    },
    interrupt: async (actor, id) =>
      (await post<{ interrupted: boolean }>(actor, path(id, '/interrupt'), undefined)).interrupted,
    decide: (actor, id, permission, decision) =>
      found(post(actor, path(id, `/permissions/${encodeURIComponent(permission)}`), decision)),
    subscribe,
    async watch(actor, id, signal) {
      const state = await this.state(actor, id);
      return { state, events: subscribe(actor, id, { after: state.lastSeq, signal }) };
    },
  };
}

interface Receipt {
  readonly session: SessionId;
  readonly turnId: string;
  readonly after: Seq;
  readonly fresh?: boolean;
  /** If it was admitted before. */
  readonly prompt?: Prompt;
}

type WireState = Omit<SessionState, 'running' | 'ahead'> & {
  readonly running: string | null;
  readonly ahead: number | null;
};

/** False if it is gone already. */
function found(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ParleyError && error.code === 'not_found') return false;
      throw error;
    },
  );
}
