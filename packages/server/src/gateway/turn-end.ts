// What is stored when a turn ends: how it went, and the session's title if that was its first turn.
import { promptText, type Session, type Turn } from '@parley/protocol';
import type { UnitOfWork } from '../domain/store.ts';
import type { TurnReport } from './turn-runner.ts';

const titleLength = 80;

/** A conversation is named after its first prompt until somebody renames it. */
export function titleAfter({ prompt }: Turn, { title }: Session): string {
  const line = promptText(prompt).replaceAll(/\s+/g, ' ').trim().slice(0, titleLength);
  // Not half of an emoji.
  return title || line.replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns undefined, as everything does that writes into a unit of work. */
export function writeEnd(
  unit: UnitOfWork,
  turn: Turn,
  report: TurnReport,
  touched: { readonly title: string; readonly updatedAt: number },
): undefined {
  const { outcome, text, usage, error } = report;
  const end = { status: outcome, text, usage, endedAt: touched.updatedAt, ...(error && { error }) };
  unit.updateTurn(turn.id, { ...end, ...(mayRunAgain(turn, report) && { key: turn.id }) });
  unit.updateSession(turn.sessionId, touched);
}

/**
 * A program that waits for the answer and retries with the same key after a temporary failure wants an answer, not the
 * failure again. Where people watch the turn, they retry themselves, and a key always stands for one message.
 */
function mayRunAgain({ canAsk }: Turn, { error, usedTools }: TurnReport): boolean {
  return canAsk === false && error?.recoverable === true && !usedTools;
}
