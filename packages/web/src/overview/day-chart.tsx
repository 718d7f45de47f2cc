// A bar per day, and the same figures as a table for screen readers.
import { t } from '../i18n/translate.ts';
import { compact, dollars, shortDay, whole } from '../ui/amounts.ts';
import { classes } from '../ui/classes.ts';
import { type Bar, turnsAndTokens } from './usage.ts';

const height = 160;
const gap = 0.28;

export function DayChart({ bars }: { bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ costUsd }) => costUsd), 0);
  const width = bars.length;
  const step = Math.max(1, Math.ceil(bars.length / 7));
  // Counted from the end, so that today gets a label. A phone has room for every second one.
  const isLabeled = (index: number, every = step) => (bars.length - 1 - index) % every === 0;
  return (
    <figure className="relative m-0">
      {most > 0 && (
        <p className="absolute top-1 left-0 text-faint text-xs tabular-nums" aria-hidden="true">
          {dollars(most)}
        </p>
      )}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-40 w-full overflow-visible"
        aria-hidden="true"
      >
        {[0.25, 0.5, 0.75, 1].map((share) => (
          <line
            key={share}
            x1="0"
            x2={width}
            y1={height * (1 - share)}
            y2={height * (1 - share)}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {bars.map(({ label, costUsd, turns, tokens }, index) => {
          const tall = most === 0 ? 0 : Math.max((costUsd / most) * height, turns > 0 ? 2 : 0);
          return (
            <rect
              key={label}
              x={index + gap / 2}
              y={height - tall}
              width={1 - gap}
              height={tall}
              className="fill-accent"
            >
              <title>{`${shortDay(label)}: ${dollars(costUsd)} · ${turnsAndTokens({ turns, tokens })}`}</title>
            </rect>
          );
        })}
        <line
          x1="0"
          x2={width}
          y1={height}
          y2={height}
          className="stroke-faint"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {/* One column per bar, so that each label is below its bar. */}
      <div className="mt-2 flex text-faint text-xs" aria-hidden="true">
        {bars.map(({ label }, index) => (
          <span
            key={label}
            className="flex h-4 min-w-0 flex-1 justify-center whitespace-nowrap last:justify-end"
          >
            {isLabeled(index) && (
              <span className={classes('shrink-0', !isLabeled(index, step * 2) && 'max-sm:hidden')}>
                {shortDay(label)}
              </span>
            )}
          </span>
        ))}
      </div>
      <table className="sr-only">
        <caption>{t('Cost per day')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Day')}</th>
            <th scope="col">{t('Cost')}</th>
            <th scope="col">{t('Turns')}</th>
            <th scope="col">{t('Tokens')}</th>
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ turns }) => turns > 0)
            .map(({ label, costUsd, turns, tokens }) => (
              <tr key={label}>
                <th scope="row">{shortDay(label)}</th>
                <td>{dollars(costUsd)}</td>
                <td>{whole(turns)}</td>
                <td>{compact(tokens)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}
