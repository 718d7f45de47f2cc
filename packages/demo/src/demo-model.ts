// The model of demo mode: the demo mind behind the Anthropic API.
import type { Pace } from './anthropic/reply.ts';
import { type AnthropicService, startAnthropicService } from './anthropic/service.ts';
import { demoMind } from './demo-mind/demo-mind.ts';

/** About the pace of a live model. */
const livePace: Pace = { firstMs: 150, everyMs: 20 };

/** Accepts any API key. */
export function startDemoModel(): Promise<AnthropicService> {
  return startAnthropicService({ answer: ({ body }) => demoMind(body), pace: livePace });
}
