// Bounds on everything that could otherwise grow without end.
import { z } from 'zod';
import { section, setting } from '../setting.ts';

const atLeast = (least: number, usual: number) => z.int().min(least).default(usual);

export const limits = section({
  messageChars: setting(atLeast(1, 100_000), {
    meaning: 'The longest message that is accepted, in characters.',
  }),
  bodyBytes: setting(atLeast(1_024, 1_048_576), { meaning: 'The largest body of a request, in bytes.' }),
  requestsPerMinute: setting(atLeast(1, 300), {
    meaning: 'How many requests one client address may make in a minute; IPv6 counts by /64.',
  }),
  totalRequestsPerMinute: setting(atLeast(1, 6_000), {
    meaning: 'How many requests all clients together may make in a minute.',
  }),
  openStreams: setting(atLeast(1, 1_000), {
    meaning:
      'How many requests may wait for a turn at once, as a stream or for the whole answer; one of several people gets at most half of them.',
  }),
  runningTurns: setting(atLeast(1, 200), {
    meaning:
      'How many answers of the Messages-API assistants are worked on at once, over all sessions; more prompts wait.',
  }),
  queuedPrompts: setting(atLeast(1, 20), {
    meaning: 'How many prompts may wait in one session while a turn runs.',
  }),
  keptEvents: setting(atLeast(100, 10_000), {
    meaning: 'How many events of a session are kept for readers who come back.',
  }),
  maxToolIterations: setting(atLeast(1, 20), {
    meaning: 'How many rounds of tool calls one turn may have; after them the model must answer.',
  }),
  toolSeconds: setting(atLeast(1, 120), {
    meaning: 'A tool call that takes longer fails. Time in which a person decides does not count.',
  }),
  toolResultBytes: setting(atLeast(1_024, 327_680), {
    meaning: 'The longest result of a tool that goes to the model; a longer one is cut, and says so.',
  }),
  contextTokens: setting(atLeast(10_000, 200_000), {
    meaning: 'What the model can take in; near it, the oldest turns of a conversation are no longer sent.',
  }),
  outputTokens: setting(atLeast(256, 16_000), {
    meaning: 'The longest reply of the model to one request, thinking included.',
  }),
  shutdownSeconds: setting(atLeast(1, 8), {
    meaning: 'How long a stopping server waits for what is still running.',
  }),
});
