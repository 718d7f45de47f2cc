// One MCP server: started when first needed, restarted after a crash with growing pauses, and always able to report its
// state. Its problems never affect another server.
import { ParleyError, type Sentence, say } from '@parley/protocol';
import { backoffMs } from '../../basics/backoff.ts';
import { waitText } from '../../content/waiting-time.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import type { CallOptions, Connection, ConnectionOptions } from './connection.ts';
import { ConnectionLost, SessionLost } from './failures.ts';
import type { CallResult } from './result.ts';
import { secretsOf } from './settings.ts';
import type { ListedTool, ToolList } from './tool-list.ts';

export interface McpServerOptions
  extends Pick<ConnectionOptions, 'settings' | 'limits' | 'environment' | 'outgoing' | 'clientVersion'> {
  readonly clock: Clock;
  readonly logger: Logger;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly opening: Promise<Connection>; readonly stop: AbortController }
  | { readonly kind: 'ready'; readonly connection: Connection; readonly since: number }
  /** A restart is due at `nextTryAt`. */
  | { readonly kind: 'failed'; readonly nextTryAt: number; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'closed' };

export class McpServer {
  readonly name: string;
  /** The time limit of a call, if the server has its own. */
  readonly timeoutMs: number | undefined;
  readonly isTrusted: boolean;
  readonly #options: McpServerOptions;
  readonly #logger: Logger;
  #state: State = { kind: 'idle' };
  #tools: readonly ListedTool[] = [];
  #skipped = '';
  #lastError: Sentence | undefined;
  #starts = 0;
  /** Failures in a row, without a healthy time in between. */
  #failures = 0;

  constructor(options: McpServerOptions) {
    this.name = options.settings.name;
    this.timeoutMs = options.settings.timeoutMs;
    this.isTrusted = options.settings.trusted === true;
    this.#options = options;
    this.#logger = options.logger.child({ mcpServer: this.name });
  }

  /** The tools it has, or had when it last ran. */
  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  get #isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  get status() {
    const state = this.#state;
    return {
      state: state.kind === 'closed' ? ('idle' as const) : state.kind,
      lastError: this.#lastError,
      restarts: Math.max(0, this.#starts - 1),
      nextTryAt: state.kind === 'failed' ? state.nextTryAt : undefined,
      pid: state.kind === 'ready' ? state.connection.pid : undefined,
    };
  }

  /** Starts the server unless it runs or waits for a restart. Rejects with a sentence when it cannot be used now. */
  async ready(): Promise<Connection> {
    const state = this.#state;
    switch (state.kind) {
      case 'idle':
        return this.#start();
      case 'starting':
        return state.opening;
      case 'ready':
        return state.connection;
      case 'failed':
      case 'closed':
        throw this.#unavailable();
      default:
        return state satisfies never;
    }
  }

  /** Waits for the first start. A failed server restarts by itself, and nobody waits for it. */
  async listed(): Promise<void> {
    if (this.#lastError === undefined) await this.ready().catch(() => undefined);
  }

  /** Rejects as `ready` does, or as a call on a connection does. */
  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallResult> {
    let connection = await this.ready();
    for (let isRetry = false; ; isRetry = true) {
      try {
        return await connection.call(tool, input, options);
      } catch (thrown) {
        if (thrown instanceof SessionLost && !isRetry) connection = await this.#renew(connection);
        else if (thrown instanceof SessionLost)
          throw this.#crashed(
            connection,
            new ConnectionLost(say`it forgets its sessions`, { cause: thrown }),
          );
        else if (thrown instanceof ConnectionLost) throw this.#crashed(connection, thrown);
        else throw thrown;
      }
    }
  }

  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    switch (state.kind) {
      case 'starting':
        state.stop.abort();
        await state.opening.catch(() => undefined);
        break;
      case 'ready':
        await state.connection.close();
        break;
      case 'failed':
        clearTimeout(state.timer);
        break;
      case 'idle':
      case 'closed':
        break;
      default:
        state satisfies never;
    }
  }

  #start(): Promise<Connection> {
    this.#starts += 1;
    const stop = new AbortController();
    const opening = this.#open(stop.signal);
    this.#state = { kind: 'starting', opening, stop };
    // Callers that wait get the error; otherwise the state shows it.
    opening.catch(() => undefined);
    return opening;
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    let connection: Connection;
    try {
      const { openConnection } = await import('./connection.ts');
      connection = await openConnection({
        ...this.#options,
        signal,
        onLost: (reason) => this.#lost(connection, reason),
        onToolsChanged: (list) => this.#offer(list),
      });
    } catch (thrown) {
      if (!this.#isClosed) this.#fail(thrown, 0);
      throw this.#unavailable();
    }
    if (this.#isClosed) {
      await connection.close();
      throw this.#unavailable();
    }
    this.#offer(connection.list);
    this.#state = { kind: 'ready', connection, since: this.#options.clock.now() };
    this.#lastError = undefined;
    this.#logger.info(
      { tools: connection.list.tools.length, restarts: this.#starts - 1 },
      'an MCP server is ready',
    );
    return connection;
  }

  #offer({ tools, skipped }: ToolList): void {
    this.#tools = tools;
    // Logged only when it changes, because a server is listed again after each restart.
    const names = skipped.join(', ');
    if (names !== '' && names !== this.#skipped)
      this.#logger.warn({ skipped }, 'an MCP server has tools that cannot be offered');
    this.#skipped = names;
  }

  /** Replaces a session that the server forgot. Not a failure, so without a pause. */
  async #renew(old: Connection): Promise<Connection> {
    if (this.#state.kind !== 'ready' || this.#state.connection !== old) return this.ready();
    const renewed = this.#start();
    await old.close();
    return renewed;
  }

  #lost(connection: Connection, reason: Sentence): void {
    if (this.#state.kind !== 'ready' || this.#state.connection !== connection) return;
    this.#fail(new ConnectionLost(reason), this.#options.clock.now() - this.#state.since);
  }

  #fail(thrown: unknown, upMs: number): void {
    const reason = this.#redact(thrown instanceof Error ? thrown.message : String(thrown));
    const { firstPauseMs, longestPauseMs, healthyMs } = this.#options.limits;
    this.#failures = upMs >= healthyMs ? 1 : this.#failures + 1;
    const pauseMs = backoffMs(this.#failures, { firstMs: firstPauseMs, longestMs: longestPauseMs });
    const timer = setTimeout(() => void this.#start(), pauseMs);
    timer.unref();
    this.#state = { kind: 'failed', nextTryAt: this.#options.clock.now() + pauseMs, timer };
    // A repeated failure is logged once.
    const line = reason === this.#lastError ? 'debug' : 'warn';
    this.#lastError = reason;
    this.#logger[line]({ reason, nextTryInMs: pauseMs }, 'an MCP server failed');
  }

  #crashed(connection: Connection, lost: ConnectionLost): ParleyError {
    // The call may fail before the connection notices.
    this.#lost(connection, lost.reason);
    const reason = this.#lastError ?? this.#redact(lost.reason);
    const outlook = this.#outlook();
    return new ParleyError(
      'unavailable',
      say`The MCP server “${this.name}” stopped during the call (${reason}). ${outlook} The call may have partly taken effect: check before you repeat it.`,
      { cause: lost },
    );
  }

  #unavailable(): ParleyError {
    const reason = this.#lastError;
    const outlook = this.#outlook();
    return new ParleyError(
      'unavailable',
      reason === undefined
        ? say`The MCP server “${this.name}” is not available. ${outlook}`
        : say`The MCP server “${this.name}” is not available (${reason}). ${outlook}`,
    );
  }

  #outlook(): Sentence {
    if (this.#isClosed) return say`Parley is stopping.`;
    if (this.#state.kind !== 'failed') return say`It is restarting.`;
    const seconds = Math.max(1, Math.ceil((this.#state.nextTryAt - this.#options.clock.now()) / 1_000));
    return say`It restarts ${waitText(seconds)}.`;
  }

  #redact(text: string): Sentence {
    const secrets = secretsOf(this.#options.settings);
    return say`${secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)}`;
  }
}
