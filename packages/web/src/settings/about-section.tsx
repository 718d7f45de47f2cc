// What runs here, and whether anything is wrong with it.
import type { About, HealthFinding } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { get } from '../client.ts';
import { serverText } from '../i18n/server-text.ts';
import { t } from '../i18n/translate.ts';
import { bytes, moment } from '../ui/amounts.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Badge, ErrorNote, Skeleton, Spinner } from '../ui/notes.tsx';

const tones = { ok: 'good', warning: 'warn', broken: 'danger' } as const;
const urgency: readonly HealthFinding['state'][] = ['broken', 'warning', 'ok'];
const stateNames = { ok: () => t('OK'), warning: () => t('warning'), broken: () => t('broken') };

export function AboutSection() {
  const about = useQuery({
    queryKey: ['settings', 'about'],
    queryFn: ({ signal }) => get<About>('/api/settings/about', signal),
  });
  if (about.isPending) return <Skeleton className="h-72" />;
  if (about.isError) return <ErrorNote error={about.error} onRetry={() => void about.refetch()} />;
  const { version, node, platform, startedAt, dataDir, databaseBytes, findings } = about.data;
  return (
    <>
      <Card
        title={t('Health')}
        action={
          about.isFetching ? (
            <Spinner label={t('Checking …')} />
          ) : (
            <Button onClick={() => void about.refetch()}>{t('Check again')}</Button>
          )
        }
      >
        <ul className="grid gap-4">
          {findings
            .toSorted((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state))
            .map((finding) => (
              <Finding key={`${finding.check} ${finding.detail}`} {...finding} />
            ))}
        </ul>
      </Card>
      <Card title={t('This server')}>
        <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
          <Fact name={t('Version')} value={version} />
          <Fact name="Node" value={`${node} · ${platform}`} />
          <Fact name={t('Running since')} value={moment(startedAt, new Date())} />
          <Fact name={t('Data folder')} value={dataDir} />
          {databaseBytes !== null && <Fact name={t('Database')} value={bytes(databaseBytes)} />}
        </dl>
      </Card>
    </>
  );
}

function Finding({ check, state, detail, fix }: HealthFinding) {
  return (
    <li className="grid gap-1 text-sm">
      <div className="flex items-baseline justify-between gap-3">
        <p className="min-w-0 break-words">
          <span className="mr-2 font-medium">{serverText(check)}</span>
          <span className="text-soft">{serverText(detail)}</span>
        </p>
        <span className="shrink-0 whitespace-nowrap">
          <Badge tone={tones[state]}>{stateNames[state]()}</Badge>
        </span>
      </div>
      {fix !== null && <p className="break-words text-ink">{serverText(fix)}</p>}
    </li>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 break-words max-sm:mb-2">{value}</dd>
    </>
  );
}
