// How much of the model's memory the conversation fills, and what the session has cost.
import { compact, dollars, whole } from '../../ui/amounts.ts';

export function ContextMeter({
  tokens,
  window,
  costUsd,
}: {
  tokens: number | undefined;
  window: number | undefined;
  costUsd: number | undefined;
}) {
  const share = tokens !== undefined && window !== undefined ? Math.min(tokens / window, 1) : undefined;
  return (
    <div className="flex items-center gap-3 text-faint text-xs tabular-nums">
      {tokens !== undefined && (
        <span
          className="flex items-center gap-1.5"
          title={`${whole(tokens)} tokens${window === undefined ? '' : ` of ${whole(window)}`} in the context`}
        >
          {share !== undefined && (
            <meter
              aria-label="Context used"
              min={0}
              max={1}
              high={0.8}
              value={share}
              className="h-1.5 w-14 [&::-webkit-meter-bar]:h-1.5 [&::-webkit-meter-bar]:rounded-full [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-line [&::-webkit-meter-optimum-value]:rounded-full [&::-webkit-meter-optimum-value]:bg-accent [&::-webkit-meter-suboptimum-value]:rounded-full [&::-webkit-meter-suboptimum-value]:bg-warn"
            />
          )}
          {share === undefined ? `${compact(tokens)} tokens` : `${Math.round(share * 100)}% context`}
        </span>
      )}
      {costUsd !== undefined && <span title="Cost of this session so far">{dollars(costUsd)}</span>}
    </div>
  );
}
