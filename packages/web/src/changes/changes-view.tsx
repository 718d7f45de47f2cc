// What a session changed: the files, or the lines of one of them.
import type { ChangedFile, ChangeList, ChangesSince } from '@parley/protocol';
import { FileDiff, GitBranch, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { visibleName } from '../files/visible-name.ts';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/notes.tsx';
import { Pills } from '../ui/pills.tsx';
import { BranchMenu } from './branch-menu.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { CommitForm } from './commit-form.tsx';
import { FileDiffView } from './file-diff.tsx';
import { useChanges } from './use-changes.ts';

export interface ChangesViewProps {
  /** Of the session. */
  readonly id: string;
  readonly mayWrite: boolean;
  readonly isOwner: boolean;
  /** The file whose lines are shown. */
  readonly open: string | undefined;
  readonly onOpen: (path: string) => void;
  readonly onBack: () => void;
  readonly suggestion: string;
  /** When this changes, the files may have changed too. */
  readonly refreshKey: unknown;
}

export function ChangesView({
  id,
  mayWrite,
  isOwner,
  open,
  onOpen,
  onBack,
  suggestion,
  refreshKey,
}: ChangesViewProps) {
  const [since, setSince] = useState<ChangesSince>('head');
  const [isSplit, setSplit] = useState(() => window.matchMedia('(min-width: 100rem)').matches);
  const [discarded, setDiscarded] = useState<ChangedFile>();
  const [problem, setProblem] = useState<unknown>();
  const { query, list, changes, refresh, tick, tickError, discard, commit } = useChanges(
    id,
    since,
    refreshKey,
  );
  const file = list?.files.find(({ path }) => path === open);
  if (list && file) {
    return (
      <FileDiffView
        changes={changes}
        list={list}
        file={file}
        isSplit={isSplit}
        onSplit={setSplit}
        onBack={onBack}
      />
    );
  }
  const isEditable = mayWrite && since === 'head' && list?.state === 'ok';
  const failed = tickError ?? commit.error;
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-line border-b p-2">
        <Pills
          label={t('Changes since')}
          options={[
            { value: 'turn', name: t('Last turn') },
            { value: 'session', name: t('Session') },
            { value: 'head', name: t('Last commit') },
          ]}
          value={since}
          onChoose={setSince}
        />
        <IconButton label={t('Refresh changes')} onClick={() => void refresh()}>
          <RefreshCw size={15} aria-hidden />
        </IconButton>
      </div>
      {query.isError ? (
        <div className="min-h-0 flex-1 p-3">
          <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : !list ? (
        <Loading />
      ) : (
        <>
          <Facts
            list={list}
            branch={
              mayWrite ? (
                <BranchMenu
                  id={id}
                  changes={changes}
                  branch={list.branch}
                  isOwner={isOwner}
                  onChanged={refresh}
                  onError={setProblem}
                />
              ) : (
                <span className="flex min-w-0 items-center gap-1">
                  <GitBranch size={13} className="shrink-0" aria-hidden />
                  <bdi className="truncate">{visibleName(list.branch ?? '')}</bdi>
                </span>
              )
            }
          />
          {problem !== undefined && (
            <div className="p-2">
              <ErrorNote error={problem} />
            </div>
          )}
          <Shown list={list}>
            <ChangedFiles
              files={list.files}
              actions={{
                onOpen: ({ path }) => onOpen(path),
                onStage: isEditable ? (one, staged) => tick([one], staged) : undefined,
                onDiscard: isEditable ? setDiscarded : undefined,
              }}
            />
          </Shown>
          {isEditable && list.files.length > 0 && (
            <CommitForm
              files={list.files}
              suggestion={suggestion}
              isPending={commit.isPending}
              error={failed}
              onCommit={(message) => commit.mutateAsync(message)}
            />
          )}
        </>
      )}
      <ConfirmDialog
        open={discarded !== undefined}
        onClose={() => setDiscarded(undefined)}
        title={t('Discard the changes?')}
        warning={
          discarded?.kind === 'added'
            ? t('{name} is new and will be deleted. This can’t be undone.', {
                name: visibleName(discarded.path),
              })
            : t('{name} will be reset to the last commit. This can’t be undone.', {
                name: visibleName(discarded?.path ?? ''),
              })
        }
        action={t('Discard')}
        run={async () => {
          if (discarded) await discard([discarded]);
        }}
      />
    </>
  );
}

function Facts({
  list: { unfinished, files, total, skipped, state },
  branch,
}: {
  list: ChangeList;
  branch: ReactNode;
}) {
  if (state !== 'ok') return null;
  const added = files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  return (
    <div className="grid shrink-0 gap-1 px-3 py-2 text-faint text-xs">
      <div className="flex min-w-0 items-center gap-2">
        {branch}
        <p role="status" className="flex shrink-0 gap-2">
          {t('{count, plural, =0 {No changes} one {# file} other {# files}}', { count: total })}
          {total > 0 && (
            <span className="tabular-nums">
              <span className="text-good">+{added}</span> <span className="text-danger">−{removed}</span>
            </span>
          )}
        </p>
      </div>
      {unfinished !== null && (
        <p className="text-warn">{t('Git is in the middle of a {operation}.', { operation: unfinished })}</p>
      )}
      {total > files.length && (
        <p>{t('Only the first {count, number} are listed.', { count: files.length })}</p>
      )}
      {skipped > 0 && (
        <p>
          {t(
            '{count, plural, one {# very large file is left out.} other {# very large files are left out.}}',
            { count: skipped },
          )}
        </p>
      )}
    </div>
  );
}

function Shown({ list, children }: { list: ChangeList; children: ReactNode }) {
  if (list.state === 'ok' && list.files.length > 0) return children;
  const icon = <FileDiff size={22} aria-hidden />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {list.state === 'no-repository' ? (
        <Empty icon={icon} title={t('No git repository')}>
          {t(
            'Parley uses git to find changes. To see them here, ask Claude to run “git init” in this folder.',
          )}
        </Empty>
      ) : list.state === 'no-snapshot' ? (
        <Empty icon={icon} title={t('Nothing to compare yet')}>
          {t('Parley takes a snapshot of the files before each turn. This session has no snapshot yet.')}
        </Empty>
      ) : (
        <Empty icon={icon} title={t('No changes')} />
      )}
    </div>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={t('Comparing')} className="grid min-h-0 flex-1 content-start gap-2 p-3">
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-5 w-2/3" />
    </div>
  );
}
