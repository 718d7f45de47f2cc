// Sends a message to the session it names if that belongs to the person, else to a new one.
import { ParleyError, type Prompt, SessionId } from '@parley/protocol';
import type { Actor } from '../../../domain/access.ts';
import type { Door } from '../../../domain/doors.ts';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import { promptOnce } from '../../../domain/prompt-once.ts';

export interface SentMessage {
  readonly actor: Actor;
  readonly prompt: Prompt;
  readonly sessionId: string | null | undefined;
  /** A retry with the same key runs the message again only after a temporary failure before any tool had run. */
  readonly key: string | undefined;
}

/** An unknown session and another person's look the same from outside: both start a new session. */
export async function sendMessage(
  gateway: Gateway,
  newSession: NewSession,
  { actor, prompt, sessionId, key }: SentMessage,
): Promise<AdmittedPrompt> {
  const door: Door = 'programs';
  const request = { person: actor, prompt, door, canAsk: false as const, ...(key !== undefined && { key }) };
  const named = SessionId.safeParse(sessionId);
  if (!named.success) return promptOnce(gateway, { ...request, session: newSession });
  try {
    return await promptOnce(gateway, { ...request, session: named.data });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return promptOnce(gateway, { ...request, session: newSession });
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'not_found';
}
