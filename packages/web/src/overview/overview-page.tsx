// Usage and cost, and the state of the tool servers and bots.
import type { UsageOverview } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { usePageTitle } from '../app/page-title.ts';
import { useDisplayName } from '../app/people.ts';
import { PersonName } from '../app/person-name.tsx';
import { get } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { compact, dollars, whole } from '../ui/amounts.ts';
import { Card } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { modelName } from '../ui/model-names.ts';
import { ErrorNote, Skeleton } from '../ui/notes.tsx';
import { BotList } from './bots.tsx';
import { DayChart } from './day-chart.tsx';
import { McpServerList } from './mcp-servers.tsx';
import { type Bar, barsByDay, by, total, turnsAndTokens, turnsText } from './usage.ts';

const spans = [7, 30, 90] as const;

export function OverviewPage() {
  usePageTitle(t('Overview'));
  const [days, setDays] = useState<(typeof spans)[number]>(30);
  const usage = useQuery({
    queryKey: ['usage', days],
    queryFn: ({ signal }) => get<UsageOverview>(`/api/usage?days=${days}`, signal),
  });
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-5xl gap-5 p-4 sm:p-8">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="font-semibold text-2xl tracking-tight">{t('Overview')}</h1>
          <div
            role="group"
            aria-label={t('Period')}
            className="flex rounded-lg border border-line bg-raised p-0.5"
          >
            {spans.map((span) => (
              <button
                key={span}
                type="button"
                aria-pressed={span === days}
                onClick={() => setDays(span)}
                className={classes(
                  'h-8 rounded-md px-3 text-sm',
                  span === days ? 'bg-accent-wash font-medium text-accent' : 'text-soft hover:text-ink',
                )}
              >
                {t('{days, plural, one {# day} other {# days}}', { days: span })}
              </button>
            ))}
          </div>
        </div>
        {usage.isPending && <Skeleton className="h-72" />}
        {usage.isError && <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />}
        {usage.data && <Usage overview={usage.data} days={days} />}
        <div className="grid gap-5 md:grid-cols-2">
          <Card title={t('MCP servers')}>
            <McpServerList />
          </Card>
          <Card title={t('Bots')}>
            <BotList />
          </Card>
        </div>
      </div>
    </main>
  );
}

function Usage({ overview, days }: { overview: UsageOverview; days: number }) {
  const { costUsd, turns, tokens } = total(overview.days);
  const empty = t('No activity in this period.');
  const displayName = useDisplayName();
  return (
    <>
      <Card title={t('Cost per day')}>
        <dl className="mb-6 grid grid-cols-3 gap-4">
          <Figure name={t('Cost')} value={dollars(costUsd)} />
          <Figure name={t('Turns')} value={whole(turns)} />
          <Figure name={t('Tokens')} value={compact(tokens)} />
        </dl>
        <DayChart bars={barsByDay(overview.days, days, new Date())} />
      </Card>
      <div className="grid gap-5 md:grid-cols-2">
        <Card title={t('By model')}>
          <ShareList bars={by('model', overview.days)} nameOf={modelName} empty={empty} />
        </Card>
        <Card title={t('By person')}>
          <ShareList
            bars={by('person', overview.days)}
            nameOf={(person) => <PersonName person={person} displayName={displayName(person)} />}
            empty={empty}
          />
        </Card>
      </div>
      <Card title={t('Your most expensive conversations')}>
        {overview.sessions.length === 0 && <p className="text-faint text-sm">{empty}</p>}
        <ol className="grid divide-y divide-line">
          {overview.sessions.map(({ sessionId, engine, title, turns: count, usage }) => (
            <li key={sessionId} className="flex items-baseline justify-between gap-4 text-sm">
              {title ? (
                <Link
                  href={`/${engine === 'claude-code' ? 'code' : 'chat'}/${sessionId}`}
                  className="min-w-0 flex-1 truncate py-2 hover:text-accent hover:underline"
                >
                  {title}
                </Link>
              ) : (
                <span className="py-2 text-faint">{t('deleted')}</span>
              )}
              <span className="shrink-0 text-soft tabular-nums">
                <strong className="font-semibold text-ink">{dollars(usage.costUsd)}</strong> ·{' '}
                {turnsText(count)}
              </span>
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-faint text-xs">{name}</dt>
      <dd className="font-semibold text-2xl tabular-nums tracking-tight">{value}</dd>
    </div>
  );
}

function ShareList({
  bars,
  empty,
  nameOf,
}: {
  bars: readonly Bar[];
  empty: string;
  /** The label as shown. */
  nameOf: (label: string) => ReactNode;
}) {
  if (bars.length === 0) return <p className="py-6 text-center text-faint text-sm">{empty}</p>;
  const most = Math.max(...bars.map(({ costUsd, tokens }) => costUsd || tokens / 1e9), Number.EPSILON);
  return (
    <ul className="grid gap-1.5">
      {bars.map(({ label, costUsd, tokens, turns }) => (
        <li key={label} className="relative overflow-hidden rounded-lg px-3 py-2 text-sm">
          <svg
            className="absolute inset-0 size-full"
            preserveAspectRatio="none"
            viewBox="0 0 100 1"
            aria-hidden="true"
          >
            <rect width={((costUsd || tokens / 1e9) / most) * 100} height="1" className="fill-accent-wash" />
          </svg>
          <div className="relative flex items-baseline justify-between gap-4">
            <span className="min-w-0 truncate font-medium">{nameOf(label)}</span>
            <strong className="shrink-0 font-semibold tabular-nums">{dollars(costUsd)}</strong>
          </div>
          <p className="relative text-soft text-xs tabular-nums">{turnsAndTokens({ turns, tokens })}</p>
        </li>
      ))}
    </ul>
  );
}
