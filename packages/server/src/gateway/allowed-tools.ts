// The tools that people allowed for the rest of a session.
import type { SessionId } from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { AllowanceStore, Allowances } from '../domain/allowances.ts';
import type { Logger } from '../domain/logger.ts';

const maxSessions = 10_000;

export class AllowedTools {
  readonly #store: AllowanceStore | undefined;
  readonly #logger: Logger;
  readonly #known = new BoundedMap<SessionId, Set<string>>(maxSessions);

  /** With a store, they outlast this server. */
  constructor(store: AllowanceStore | undefined, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  async of(id: SessionId): Promise<Allowances> {
    const tools = this.#toolsOf(id);
    for (const tool of (await this.#store?.of(id)) ?? []) tools.add(tool);
    return { has: (tool) => tools.has(tool), add: (tool) => this.#allow(id, tool) };
  }

  /** Allows in `to` what is allowed in `from`. */
  copy(from: SessionId, to: SessionId): void {
    for (const tool of this.#toolsOf(from)) this.#allow(to, tool);
  }

  forget(id: SessionId): void {
    this.#known.delete(id);
  }

  /** If it can't be stored, it applies only here, and the next owner of the session asks again. */
  #allow(id: SessionId, tool: string): void {
    this.#toolsOf(id).add(tool);
    this.#store
      ?.add(id, tool)
      .catch((error: unknown) =>
        this.#logger.error({ err: error, session: id }, 'could not store an allowance'),
      );
  }

  #toolsOf(id: SessionId): Set<string> {
    const tools = this.#known.get(id) ?? new Set<string>();
    this.#known.set(id, tools);
    return tools;
  }
}
