// The demo model behind the Anthropic API, at about the pace of a live model.
import type { Pace } from '../anthropic/reply.ts';
import { type AnthropicService, startAnthropicService } from '../anthropic/service.ts';
import { demoModel } from './demo-model.ts';

const livePace: Pace = { firstMs: 150, everyMs: 20 };

/** Accepts any API key. */
export function startDemoModel(): Promise<AnthropicService> {
  return startAnthropicService({ answer: ({ body }) => demoModel(body), pace: livePace });
}
