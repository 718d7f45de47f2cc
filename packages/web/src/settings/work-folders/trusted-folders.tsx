// The folders whose configuration somebody trusts: who trusts them, since when, what they run, and how to stop.
import type { FolderTrustView, TrustedFolders as Listed } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDisplayName } from '../../app/people.ts';
import { get, send } from '../../client.ts';
import { FolderRuns } from '../../code/folder-runs.tsx';
import { t } from '../../i18n/translate.ts';
import { moment } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote, Skeleton } from '../../ui/notes.tsx';

const address = '/api/work-folders/trust';

export function TrustedFolders() {
  const trusted = useQuery({
    queryKey: ['folder-trust', 'all'],
    queryFn: ({ signal }) => get<Listed>('/api/work-folders/trusted', signal),
  });
  return (
    <Card
      title={t('Trusted folders')}
      hint={t(
        'Their hooks, MCP servers and settings run without asking. Trust ends when any of them changes.',
      )}
    >
      {trusted.isPending && <Skeleton className="h-16" />}
      {trusted.isError && <ErrorNote error={trusted.error} onRetry={() => void trusted.refetch()} />}
      {trusted.data?.folders.length === 0 && (
        <p className="text-faint text-sm">{t('No trusted folders yet.')}</p>
      )}
      <ul className="grid divide-y divide-line">
        {trusted.data?.folders.map((folder) => (
          <Folder key={folder.path} {...folder} />
        ))}
      </ul>
    </Card>
  );
}

function Folder({ path, trustedBy, trustedAt }: Listed['folders'][number]) {
  const queries = useQueryClient();
  const [isShown, setShown] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const displayName = useDisplayName();
  const query = `${address}?path=${encodeURIComponent(path)}`;
  return (
    <li className="grid gap-2 py-4 text-sm first:pt-0 last:pb-0">
      <h3 className="break-all font-medium font-mono text-xs">{path}</h3>
      <p className="text-soft text-xs">
        {t('Trusted by {person} since {time}.', {
          person: displayName(trustedBy),
          time: moment(Date.parse(trustedAt), new Date()),
        })}
      </p>
      {isShown && <Runs query={query} path={path} />}
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {t('What it runs')}
        </Button>
        <Button look="quiet" aria-label={t('Stop trusting {path}', { path })} onClick={() => setAsking(true)}>
          {t('Stop trusting')}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('Stop trusting this folder?')}
        warning={t('Its hooks, MCP servers and settings will no longer be used. Sessions will ask again.')}
        action={t('Stop trusting')}
        run={async () => {
          await send('DELETE', query);
          await queries.invalidateQueries({ queryKey: ['folder-trust'] });
        }}
      />
    </li>
  );
}

function Runs({ query, path }: { query: string; path: string }) {
  const look = useQuery({
    queryKey: ['folder-trust', path],
    queryFn: ({ signal }) => get<FolderTrustView>(query, signal),
  });
  if (look.isPending) return <Skeleton className="h-16" />;
  if (look.isError) return <ErrorNote error={look.error} onRetry={() => void look.refetch()} />;
  return (
    <>
      {look.data.reason === 'changed' && (
        <p className="text-warn text-xs">
          {t('Its configuration has changed since then, so it is not used until somebody trusts it again.')}
        </p>
      )}
      <FolderRuns folder={look.data} />
    </>
  );
}
