// How much of the model's memory the conversation fills, and what the session has cost.
import { compact, dollars, whole } from '../../ui/amounts.ts';
import { classes } from '../../ui/classes.ts';

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
    <div className="flex items-center gap-3 whitespace-nowrap text-faint text-xs tabular-nums">
      {tokens !== undefined && (
        <span
          className="flex items-center gap-1.5"
          title={`${whole(tokens)} tokens${window === undefined ? '' : ` of ${whole(window)}`} in the context`}
        >
          {share !== undefined && (
            <span
              role="meter"
              aria-label="Context used"
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={Math.round(share * 100)}
              className="h-1.5 w-10 overflow-hidden rounded-full bg-line sm:w-14"
            >
              <span
                className={classes('block h-full rounded-full', share > 0.8 ? 'bg-warn' : 'bg-accent')}
                style={{ width: `${Math.max(share * 100, 3)}%` }}
              />
            </span>
          )}
          {share === undefined ? `${compact(tokens)} tokens` : `${Math.round(share * 100)}%`}
          {share !== undefined && <span className="hidden sm:inline">context</span>}
        </span>
      )}
      {costUsd !== undefined && costUsd > 0 && (
        <span title="Cost of this session so far">{dollars(costUsd)}</span>
      )}
    </div>
  );
}
