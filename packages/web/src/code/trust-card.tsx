// Asks whether to trust a folder: shows what its configuration would run.

import type { FolderTrustView } from '@parley/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderLock } from 'lucide-react';
import { useState } from 'react';
import { get, send } from '../client.ts';
import { shortPath } from '../conversation/tools/describe-tool.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/notes.tsx';
import { FolderRuns } from './folder-runs.tsx';

const address = '/api/work-folders/trust';
const keyOf = (path: string) => ['folder-trust', path] as const;

/** `refreshKey` changes whenever the folder may have changed, such as with each turn. */
export function TrustCard({
  workingDir,
  refreshKey,
  isTerminal = false,
}: {
  workingDir: string;
  refreshKey?: string | undefined;
  isTerminal?: boolean;
}) {
  const { data: folder } = useQuery({
    queryKey: [...keyOf(workingDir), refreshKey],
    queryFn: ({ signal }) =>
      get<FolderTrustView>(`${address}?path=${encodeURIComponent(workingDir)}`, signal),
    placeholderData: (before) => before,
    retry: false,
  });
  const [dismissed, setDismissed] = useState<string>();
  // While the page is open, it asks only once about the same configuration.
  if (!folder || folder.trusted || folder.digest === dismissed) return null;
  return <Card folder={folder} isTerminal={isTerminal} onDismiss={() => setDismissed(folder.digest)} />;
}

function Card({
  folder,
  isTerminal,
  onDismiss,
}: {
  folder: FolderTrustView;
  isTerminal: boolean;
  onDismiss: () => void;
}) {
  const queries = useQueryClient();
  const { path, digest, instructions, reason } = folder;
  const trust = useMutation({
    mutationFn: () => send<FolderTrustView>('PUT', address, { path, digest }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(path) }),
  });
  const title =
    reason === 'changed' ? t('This folder has changed since it was trusted') : t('Do you trust this folder?');
  return (
    <section
      aria-label={title}
      className="grid gap-3 rounded-card border-2 border-warn/50 bg-raised p-4 text-sm shadow-lg"
    >
      <div className="flex items-start gap-2.5">
        <FolderLock size={19} className="mt-0.5 shrink-0 text-warn" aria-hidden />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-base">{title}</h2>
          <p className="text-soft">
            {t(
              'Its configuration runs or allows the following without asking. None of this takes effect until you trust the folder.',
            )}
          </p>
        </div>
      </div>
      <FolderRuns folder={folder} />
      <p className="text-soft text-xs">
        {instructions.length > 0
          ? t(
              'Until then, Claude also ignores {files} and the folder’s commands, skills and agents, and your own MCP servers are off here.',
              {
                files: instructions.map((file) => shortPath(file, path)).join(', '),
              },
            )
          : t(
              'Until then, the folder’s commands, skills and agents and your own MCP servers are off here.',
            )}{' '}
        {isTerminal && t('Trust takes effect when the terminal restarts.')}
      </p>
      {trust.isError && <ErrorNote error={trust.error} />}
      {digest === '' ? (
        <p className="text-danger">
          {t('This is more than Parley can check, so the folder can’t be trusted.')}
        </p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" disabled={trust.isPending} onClick={() => trust.mutate()}>
            {t('Trust this folder')}
          </Button>
          <Button onClick={onDismiss}>{t('Continue without trusting it')}</Button>
        </div>
      )}
    </section>
  );
}
