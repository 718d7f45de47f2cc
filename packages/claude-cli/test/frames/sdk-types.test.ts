// Compares our types with the union that the official SDK publishes. The proof is that this file compiles:
// `npm run check` runs the compiler on it.
import type { SDKControlRequest, SDKControlResponse, SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type FrameBodies, type FrameKind, parseFrame } from '../../src/index.ts';

type Published<Type extends SDKMessage['type']> = Extract<SDKMessage, { type: Type }>;
type PublishedInit = Extract<Published<'system'>, { subtype: 'init' }>;

/** Every type that the SDK publishes, and our kind for it. A new type in a later release fails to compile. */
const kinds: Record<SDKMessage['type'], FrameKind> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  result: 'result',
  stream_event: 'stream_event',
  tool_progress: 'progress',
  auth_status: 'unknown',
  conversation_reset: 'unknown',
  prompt_suggestion: 'unknown',
  rate_limit_event: 'unknown',
  tool_use_summary: 'unknown',
};

describe('our frame types', () => {
  it('accept every message that the SDK publishes', () => {
    expectTypeOf<Published<'user'>>().toExtend<FrameBodies['user']>();
    expectTypeOf<Published<'assistant'>>().toExtend<FrameBodies['assistant']>();
    expectTypeOf<PublishedInit>().toExtend<FrameBodies['system_init']>();
    expectTypeOf<Published<'system'>>().toExtend<FrameBodies['system']>();
    expectTypeOf<Published<'result'>>().toExtend<FrameBodies['result']>();
    expectTypeOf<Published<'stream_event'>>().toExtend<FrameBodies['stream_event']>();
    expectTypeOf<Published<'tool_progress'>>().toExtend<FrameBodies['progress']>();
    expectTypeOf<SDKControlRequest>().toExtend<FrameBodies['control_request']>();
    expectTypeOf<SDKControlResponse>().toExtend<FrameBodies['control_response']>();
  });

  it('have a kind for each published type', () => {
    const minimal: Partial<Record<SDKMessage['type'], object>> = {
      user: { message: { role: 'user', content: 'hello' } },
      assistant: { message: { role: 'assistant', content: [] } },
      result: { subtype: 'success' },
      stream_event: { event: { type: 'ping' } },
    };
    for (const [type, kind] of Object.entries(kinds)) {
      const line = JSON.stringify({ ...minimal[type as SDKMessage['type']], type });
      expect({ type, kind: parseFrame(Buffer.from(line))?.kind }).toEqual({ type, kind });
    }
  });
});
