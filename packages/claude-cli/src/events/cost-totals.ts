// From the running total that the program tells with each result to the cost of a turn.
import type { ResultBody } from '../frames/bodies.ts';

export interface CostTotals {
  /** Of the turn. */
  readonly costUsd: number;
  /** Of the conversation with it. */
  readonly totalCostUsd: number;
}

interface Known {
  readonly totalCostUsd: number;
  readonly sessionId?: string | undefined;
}

/**
 * `total_cost_usd` counts over the whole conversation, so a turn's own cost is what it added. A cleared conversation is
 * a new one, whose total begins at nothing; within one, a total of nothing comes only with results that lost theirs.
 */
export function costTotals(body: ResultBody, known: Known): CostTotals {
  const { total_cost_usd: told, session_id: sessionId } = body;
  const isAnother = sessionId !== undefined && known.sessionId !== undefined && sessionId !== known.sessionId;
  const before = isAnother ? 0 : known.totalCostUsd;
  const totalCostUsd = told === undefined || told === 0 ? before : told;
  return { costUsd: totalCostUsd > before ? totalCostUsd - before : 0, totalCostUsd };
}
