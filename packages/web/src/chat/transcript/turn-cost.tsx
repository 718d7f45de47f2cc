// What a turn took: tokens, money, time. Small and quiet.
import { totalTokens } from '@parley/protocol';
import { compact, dollars } from '../../ui/amounts.ts';
import type { TurnView } from '../model/conversation.ts';

export function TurnCost({ turn }: { turn: TurnView }) {
  const { usage, model, startedAt, endedAt } = turn;
  const tokens = totalTokens(usage);
  if (tokens === 0) return null;
  const facts = [
    `${compact(tokens)} tokens`,
    ...(usage.costUsd > 0 ? [dollars(usage.costUsd)] : []),
    ...(endedAt === undefined ? [] : [seconds(endedAt - startedAt)]),
  ];
  const detail = [
    `${usage.inputTokens} in`,
    `${usage.outputTokens} out`,
    `${usage.cacheReadTokens} read from the cache`,
    `${usage.cacheWriteTokens} written to it`,
    ...(model === undefined ? [] : [model]),
  ];
  return (
    <span className="tabular-nums" title={detail.join(', ')}>
      {facts.join(' · ')}
    </span>
  );
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}
