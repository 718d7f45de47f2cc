// The API keys that programs use: create one, see what each may do, revoke it.
import type { ApiKeyInfo, CreatedApiKey } from '@parley/protocol';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useAssistantNames } from '../../app/assistants.ts';
import { useHere } from '../../app/me.tsx';
import { useDisplayName } from '../../app/people.ts';
import { get, send } from '../../client.ts';
import { ago } from '../../conversation/times.ts';
import { i18n, t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Badge, ErrorNote, Skeleton } from '../../ui/notes.tsx';
import { KeyForm } from './key-form.tsx';
import { NewKey } from './new-key.tsx';

const keysQuery = queryOptions({
  queryKey: ['settings', 'keys'],
  queryFn: ({ signal }) => get<{ keys: readonly ApiKeyInfo[] }>('/api/keys', signal),
});

export function KeysSection() {
  const keys = useQuery(keysQuery);
  const queries = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedApiKey>();
  const [revoked, setRevoked] = useState<ApiKeyInfo>();
  const refresh = () => queries.invalidateQueries(keysQuery);
  if (keys.isPending) return <Skeleton className="h-72" />;
  if (keys.isError) return <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />;
  return (
    <>
      {made && <NewKey made={made} onDone={() => setMade(undefined)} />}
      <Card
        title={t('Keys')}
        hint={t(
          'With a key, a program acts for one person. Keys from the configuration are not listed here.',
        )}
        action={<Button onClick={() => setMaking(true)}>{t('New key')}</Button>}
      >
        {keys.data.keys.length === 0 ? (
          <p className="flex items-center gap-3 text-faint text-sm">
            <KeyRound size={18} aria-hidden />
            {t('No keys yet.')}
          </p>
        ) : (
          <ul className="grid divide-y divide-line">
            {keys.data.keys.toReversed().map((key) => (
              <KeyRow key={key.id} info={key} onRevoke={() => setRevoked(key)} />
            ))}
          </ul>
        )}
      </Card>
      <Dialog open={isMaking} onOpenChange={setMaking} title={t('New API key')}>
        <KeyForm
          onCancel={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
            void refresh();
          }}
        />
      </Dialog>
      <ConfirmDialog
        open={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('Revoke “{label}”?', { label: revoked?.label ?? '' })}
        warning={t(
          'Programs that use this key will be disconnected immediately and refused from then on. This can’t be undone.',
        )}
        action={t('Revoke')}
        run={async () => {
          await send('DELETE', `/api/keys/${revoked?.id}`);
          if (made?.key.id === revoked?.id) setMade(undefined);
          await refresh();
        }}
      />
    </>
  );
}

function KeyRow({ info, onRevoke }: { info: ApiKeyInfo; onRevoke: () => void }) {
  const { person } = useHere();
  const nameOf = useDisplayName();
  const { label, assistants, readOnly, createdAt, expiresAt, lastUsedAt } = info;
  const named = useAssistantNames();
  const isExpired = expiresAt !== null && expiresAt <= Date.now();
  const facts = [
    info.for === person ? t('For you') : t('For {person}', { person: nameOf(info.for) }),
    assistants === null ? t('All assistants') : assistants.map(named).join(', '),
    t('Created on {day}', { day: day(createdAt) }),
    ...(expiresAt !== null && !isExpired ? [t('Expires on {day}', { day: day(expiresAt) })] : []),
    lastUsedAt === null
      ? t('Never used')
      : t('Last used: {when}', { when: ago(new Date(lastUsedAt).toISOString(), Date.now()) }),
  ];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          <span dir="auto" className="min-w-0 break-words">
            {label}
          </span>
          {readOnly && <Badge>{t('Read-only')}</Badge>}
          {isExpired && <Badge tone="warn">{t('Expired')}</Badge>}
        </p>
        <p className="mt-1 text-faint text-xs leading-relaxed">{facts.join(' · ')}</p>
      </div>
      <Button look="danger" aria-label={t('Revoke {label}', { label })} onClick={onRevoke}>
        {t('Revoke')}
      </Button>
    </li>
  );
}

function day(at: number): string {
  return i18n.date(new Date(at), { dateStyle: 'medium' });
}
