// The built-in model of demo mode: rules instead of a mind, and it says so.
import { type MessageReply, reply, sayInWords } from '../reply.ts';

export function demoMind(): MessageReply {
  return reply(sayInWords('Hello! I am a scripted stand-in model, not Claude.'));
}
