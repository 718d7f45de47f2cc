// Bounds on everything that could otherwise grow without end.
import { z } from 'zod';
import { section, setting } from '../setting.ts';

const atLeast = (least: number, usual: number) => z.int().min(least).default(usual);

export const limits = section({
  messageChars: setting(atLeast(1, 100_000), {
    meaning: 'The longest message that is accepted, in characters.',
  }),
  bodyBytes: setting(atLeast(1_024, 1_048_576), { meaning: 'The largest body of a request, in bytes.' }),
  queuedPrompts: setting(atLeast(1, 20), {
    meaning: 'How many prompts may wait in one session while a turn runs.',
  }),
  maxToolIterations: setting(atLeast(1, 20), {
    meaning: 'How often the model may call tools within one turn before the turn is brought to an end.',
  }),
  toolResultBytes: setting(atLeast(1_024, 100_000), {
    meaning: 'The longest result of a tool that goes to the model; a longer one is cut, and says so.',
  }),
  toolSeconds: setting(atLeast(1, 30), { meaning: 'How long one call of a tool may take.' }),
  contextTokens: setting(atLeast(10_000, 180_000), {
    meaning: 'When a conversation comes near this size, its oldest turns are no longer sent to the model.',
  }),
  outputTokens: setting(atLeast(256, 16_000), {
    meaning: 'The longest reply of the model to one request, in tokens.',
  }),
  keptEvents: setting(atLeast(100, 10_000), {
    meaning: 'How many events of a session are kept for readers who come back.',
  }),
  readerBacklog: setting(atLeast(16, 1_000), {
    meaning: 'How many events may wait for a slow reader before it is cut off; it resumes by number.',
  }),
  openStreams: setting(atLeast(1, 1_000), { meaning: 'How many streams may be open at once.' }),
  requestsPerMinute: setting(atLeast(1, 300), {
    meaning: 'How many requests one client address may make in a minute (an IPv6 client by its /64).',
  }),
  totalRequestsPerMinute: setting(atLeast(1, 6_000), {
    meaning: 'How many requests all clients together may make in a minute.',
  }),
  shutdownSeconds: setting(atLeast(1, 8), {
    meaning: 'How long a stopping server waits for what is still running.',
  }),
});
