// The end of a turn: what it cost, how long it took, and what went wrong.
import type { Draft } from './draft.ts';
import type { Item } from './items.ts';
import { type Frame, number, record, text } from './read.ts';

export function readResult(draft: Draft, frame: Frame): readonly Item[] {
  draft.clearPartials();
  const total = number(frame['total_cost_usd']);
  const costUsd = costOf(frame, total, draft.facts.totalCostUsd);
  const contextWindow = contextWindowOf(frame['modelUsage'], draft.facts.model) ?? draft.facts.contextWindow;
  draft.learn({ contextWindow, totalCostUsd: total ?? draft.facts.totalCostUsd });
  const isError = frame['is_error'] === true;
  return [
    {
      kind: 'result',
      key: text(frame['uuid']) ?? JSON.stringify(frame),
      at: text(frame['timestamp']),
      raw: frame,
      isError,
      costUsd,
      durationMs: number(frame['duration_ms']),
      outputTokens: number(record(frame['usage'])['output_tokens']),
      problem: isError ? problemOf(frame) : undefined,
    },
  ];
}

/** Totals run on through a session: the turn's own part is told apart where the program does so, else subtracted. */
function costOf(frame: Frame, total: number | undefined, before: number | undefined): number | undefined {
  const models = Object.values(record(frame['model_usage_since_last_result']));
  if (models.length > 0)
    return models.reduce<number>((sum, one) => sum + (number(record(one)['costUSD']) ?? 0), 0);
  if (total === undefined || before === undefined || total < before) return undefined;
  return total - before;
}

function problemOf(frame: Frame): string | undefined {
  if (text(frame['terminal_reason'])?.startsWith('aborted') === true) return undefined;
  const said = text(frame['result']);
  if (said !== undefined && said !== '') return said;
  const errors = frame['errors'];
  if (Array.isArray(errors) && errors.length > 0) return errors.map(String).join('\n');
  return sentences[text(frame['subtype']) ?? ''] ?? 'The turn ended with an error.';
}

const sentences: Record<string, string> = {
  error_max_turns: 'The turn reached its limit of steps.',
  error_max_budget_usd: 'The turn reached its budget.',
  error_during_execution: 'The turn ended with an error.',
};

function contextWindowOf(modelUsage: unknown, model: string | undefined): number | undefined {
  const usages = record(modelUsage);
  const own = model === undefined ? undefined : number(record(usages[model])['contextWindow']);
  if (own !== undefined) return own;
  const windows = Object.values(usages).flatMap((usage) => number(record(usage)['contextWindow']) ?? []);
  return windows.length > 0 ? Math.max(...windows) : undefined;
}
