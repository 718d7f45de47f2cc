// Computes the cost of a turn from the running total that the program reports with each result.
import type { ResultBody } from '../frames/bodies.ts';

export interface CostTotals {
  /** Cost of the turn. */
  readonly costUsd: number;
  /** Cost of the conversation, including the turn. */
  readonly totalCostUsd: number;
}

interface Known {
  readonly totalCostUsd: number;
  readonly sessionId?: string | undefined;
}

/**
 * `total_cost_usd` counts over the whole conversation, so a turn's own cost is what it added. A cleared conversation is
 * a new one, whose total starts at zero. Within one, a total of zero only means that the result lost its total.
 */
export function costTotals(body: ResultBody, known: Known): CostTotals {
  const { total_cost_usd: reported, session_id: sessionId } = body;
  const isAnother = sessionId !== undefined && known.sessionId !== undefined && sessionId !== known.sessionId;
  const before = isAnother ? 0 : known.totalCostUsd;
  const totalCostUsd = reported === undefined || reported === 0 ? before : reported;
  return { costUsd: totalCostUsd > before ? totalCostUsd - before : 0, totalCostUsd };
}
