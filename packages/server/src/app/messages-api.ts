// Builds the `messages-api` engine. Every turn uses the current settings.
import type { Outgoing } from '../basics/outgoing.ts';
import type { Config } from '../config/schema.ts';
import { systemClock } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type { Logger } from '../domain/logger.ts';
import type { Spending } from '../domain/spending.ts';
import { createMessagesApiEngine } from '../engines/messages-api/engine.ts';
import type { Tools } from './tools.ts';

export interface MessagesApiSetup {
  readonly current: () => Config;
  /** The Anthropic API, or the demo model. */
  readonly upstream: { readonly apiKey: string | undefined; readonly baseUrl: string };
  readonly tools: Pick<Tools, 'assistants' | 'sources'>;
  readonly isShared: () => boolean;
  readonly spending: Spending;
  readonly outgoing: Outgoing;
  readonly logger: Logger;
}

export function openMessagesApi({ current, upstream, tools, ...parts }: MessagesApiSetup): Engine {
  return createMessagesApiEngine({
    ...upstream,
    ...parts,
    get model() {
      return current().model;
    },
    get assistants() {
      return tools.assistants;
    },
    get toolSources() {
      return tools.sources;
    },
    get limits() {
      const { limits } = current();
      return {
        maxToolIterations: limits.maxToolIterations,
        toolResultBytes: limits.toolResultBytes,
        toolTimeoutMs: limits.toolSeconds * 1_000,
        contextTokens: limits.contextTokens,
        maxReplyTokens: limits.outputTokens,
      };
    },
    get caution() {
      return current().caution;
    },
    maxTurns: current().limits.runningTurns,
    clock: systemClock,
  });
}
