// Limits on everything that could otherwise grow without bound.
import { say } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';

const mebibyte = 1024 * 1024;
const atLeast = (least: number, usual: number) => z.int().min(least).default(usual);

export const limits = section({
  messageChars: setting(atLeast(1, 100_000), {
    meaning: 'The longest accepted message, in characters.',
  }),
  bodyBytes: setting(atLeast(1_024, 1_048_576), { meaning: 'The largest request body, in bytes.' }),
  requestsPerMinute: setting(atLeast(1, 300), {
    meaning:
      'How many requests one client address may make per minute, and ten times as many for files of the app. IPv6 addresses count by /64.',
  }),
  totalRequestsPerMinute: setting(atLeast(1, 6_000), {
    meaning: 'How many requests all clients together may make per minute.',
  }),
  openStreams: setting(atLeast(1, 1_000), {
    meaning:
      'How many requests may wait for a turn at once, as a stream or for the whole answer. If there are several people, one person gets at most half.',
  }),
  waitingBytes: setting(atLeast(40 * mebibyte, 48 * mebibyte), {
    meaning:
      'How many bytes of one person may wait in memory: request bodies and WebSocket messages until they are processed, and prompts until they are answered. More are refused.',
  }),
  totalWaitingBytes: setting(atLeast(40 * mebibyte, 192 * mebibyte), {
    meaning: 'How many bytes of all people together may wait in memory.',
  }),
  runningTurns: setting(atLeast(1, 200), {
    meaning:
      'How many turns of assistants run at once, over all sessions. More prompts wait. If there are several people, one person gets at most a quarter.',
  }),
  queuedPrompts: setting(atLeast(1, 20), {
    meaning: 'How many prompts may wait in one session while a turn runs.',
  }),
  storageBytes: setting(atLeast(mebibyte, 10 * 1024 * mebibyte), {
    meaning:
      'How many bytes of one person are stored: prompts with their attachments, messages and events. Beyond that, new prompts are refused until the person deletes some sessions. Notes, recipes and transcripts of `claude` do not count.',
  }),
  keptEvents: setting(atLeast(100, 10_000), {
    meaning: 'How many events of a session are stored for clients that reconnect.',
  }),
  maxToolIterations: setting(atLeast(1, 20), {
    meaning: say`How many rounds of tool calls a turn may have before the model must answer.`,
  }),
  toolSeconds: setting(atLeast(1, 120), {
    meaning: say`A tool call that takes longer fails. Waiting for permission does not count.`,
  }),
  toolResultBytes: setting(atLeast(1_024, 327_680), {
    meaning: say`The longest tool result that is sent to the model. Longer results are cut off, with a note that says so.`,
  }),
  contextTokens: setting(atLeast(10_000, 200_000), {
    meaning: say`The size of the model's context. Near the limit, the oldest turns of a conversation are no longer sent.`,
  }),
  outputTokens: setting(atLeast(256, 16_000), {
    meaning: say`The model's longest reply to one request, including thinking.`,
  }),
  shutdownSeconds: setting(atLeast(1, 8), {
    meaning: 'How long a stopping server waits for running work.',
  }),
});
