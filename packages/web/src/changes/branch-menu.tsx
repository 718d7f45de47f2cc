// The branch that is checked out, and what can be done with it: switch, pull, push, and working trees for other sessions.
import type { Changes } from '@parley/client';
import type { BranchList, CodeSessionView } from '@parley/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ArrowDown,
  ArrowUp,
  GitBranch,
  GitBranchPlus,
  GitMerge,
  SquareSplitHorizontal,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { send } from '../client.ts';
import { visibleName } from '../files/visible-name.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { TextField, typedIn } from '../ui/field.tsx';
import { Menu, MenuChoice, MenuItem } from '../ui/menu.tsx';
import { ErrorNote } from '../ui/notes.tsx';

type Asked = 'branch' | 'worktree' | 'merge' | 'remove';

/** To switch to another one, people ask Claude. */
const maxListed = 12;

export function BranchMenu({
  id,
  changes,
  branch,
  isOwner,
  onChanged,
  onError,
}: {
  id: string;
  changes: Changes;
  branch: string | null;
  /** Only the session's owner can use working trees. */
  isOwner: boolean;
  onChanged: () => Promise<unknown>;
  onError: (error: unknown) => void;
}) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const key = ['branches', id];
  const { data } = useQuery({
    queryKey: [...key, branch],
    queryFn: ({ signal }) => changes.branches(signal),
  });
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onMutate: () => onError(undefined),
    onError,
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: key }), onChanged()]),
  });
  const run = (work: () => Promise<unknown>) => act.mutate(work);
  const name = branch === null ? t('No branch') : visibleName(branch);
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            disabled={act.isPending}
            aria-label={t('Branch {name}', { name })}
            className="flex min-h-8 min-w-0 items-center gap-1.5 rounded-lg px-2 text-soft text-xs hover:bg-sunken hover:text-ink disabled:opacity-60 pointer-coarse:min-h-10"
          >
            <GitBranch size={13} className="shrink-0" aria-hidden />
            <bdi className="truncate">{name}</bdi>
            <Difference list={data} />
          </button>
        }
      >
        {data && data.branches.length > 1 && (
          <MenuChoice
            label={t('Branches')}
            value={data.current ?? ''}
            options={data.branches.slice(0, maxListed).map((one) => ({ value: one, name: visibleName(one) }))}
            onChoose={(chosen) => run(() => changes.switchBranch(chosen))}
          />
        )}
        <MenuItem onSelect={() => setAsked('branch')}>
          <GitBranchPlus size={16} aria-hidden />
          {t('New branch …')}
        </MenuItem>
        {data?.remote && (
          <>
            <MenuItem onSelect={() => run(() => changes.sync('pull'))}>
              <ArrowDown size={16} aria-hidden />
              {t('Pull from {remote}', { remote: visibleName(data.remote.url) })}
            </MenuItem>
            <MenuItem onSelect={() => run(() => changes.sync('push'))}>
              <ArrowUp size={16} aria-hidden />
              {t('Push to {remote}', { remote: visibleName(data.remote.url) })}
            </MenuItem>
          </>
        )}
        {isOwner && (
          <MenuItem onSelect={() => setAsked('worktree')}>
            <SquareSplitHorizontal size={16} aria-hidden />
            {t('New session in its own working tree …')}
          </MenuItem>
        )}
        {isOwner && data && data.worktreeOf !== null && (
          <>
            <MenuItem onSelect={() => setAsked('merge')}>
              <GitMerge size={16} aria-hidden />
              {t('Merge into the repository …')}
            </MenuItem>
            <MenuItem danger onSelect={() => setAsked('remove')}>
              <Trash2 size={16} aria-hidden />
              {t('Remove this working tree …')}
            </MenuItem>
          </>
        )}
      </Menu>
      <NameDialog
        asked={asked}
        onClose={() => setAsked(undefined)}
        onBranch={async (chosen) => {
          await changes.switchBranch(chosen, { create: true });
          await onChanged();
        }}
        onWorktree={(chosen) => changes.startWorktree(chosen)}
      />
      <FinishDialog
        asked={asked}
        folder={data?.worktreeOf ?? ''}
        onClose={() => setAsked(undefined)}
        run={async (how) => {
          await changes.finishWorktree(how);
          if (how === 'merge') await onChanged();
        }}
      />
    </>
  );
}

function Difference({ list }: { list: BranchList | undefined }) {
  const { ahead, behind } = list?.remote ?? {};
  return (
    <span className="shrink-0 tabular-nums">
      {ahead ? `↑${ahead} ` : ''}
      {behind ? `↓${behind}` : ''}
    </span>
  );
}

/** Asks for the name of a branch: to switch to it here, or to start a session on it in a folder of its own. */
function NameDialog({
  asked,
  onClose,
  onBranch,
  onWorktree,
}: {
  asked: Asked | undefined;
  onClose: () => void;
  onBranch: (name: string) => Promise<unknown>;
  onWorktree: (name: string) => Promise<{ readonly path: string }>;
}) {
  const [, go] = useLocation();
  const isWorktree = asked === 'worktree';
  const make = useMutation({
    mutationFn: async (name: string) => {
      if (!isWorktree) return onBranch(name);
      const { path } = await onWorktree(name);
      const wanted = { workingDir: path, mode: 'ui', title: name };
      const { id } = await send<CodeSessionView>('POST', '/api/claude/sessions', wanted);
      return go(`/code/${id}?panel=changes`);
    },
    onSuccess: onClose,
  });
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog
      open={asked === 'branch' || isWorktree}
      onOpenChange={close}
      title={isWorktree ? t('New session in its own working tree') : t('New branch')}
      description={
        isWorktree
          ? t(
              'The new session gets its own branch and folder, so the two sessions don’t get in each other’s way.',
            )
          : t('It starts from the last commit and keeps your uncommitted changes.')
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate(typedIn(event.currentTarget, 'name').trim());
        }}
      >
        <TextField label={t('Branch name')} name="name" required maxLength={200} autoComplete="off" />
        {make.isError && <ErrorNote error={make.error} />}
        <DialogButtons onCancel={close}>
          <Button look="primary" type="submit" disabled={make.isPending}>
            {isWorktree ? t('Start') : t('Create')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function FinishDialog({
  asked,
  folder,
  onClose,
  run,
}: {
  asked: Asked | undefined;
  folder: string;
  onClose: () => void;
  run: (how: 'merge' | 'remove') => Promise<void>;
}) {
  const [, go] = useLocation();
  const isRemoval = asked === 'remove';
  return (
    <ConfirmDialog
      open={asked === 'merge' || isRemoval}
      onClose={onClose}
      title={isRemoval ? t('Remove this working tree?') : t('Merge this branch?')}
      warning={
        isRemoval
          ? t(
              'This deletes the session’s folder. The branch stays unless it is merged. The session can’t continue afterwards.',
            )
          : t('This merges the commits made here into the branch that is checked out in {folder}.', {
              folder,
            })
      }
      action={isRemoval ? t('Remove') : t('Merge')}
      run={() => run(isRemoval ? 'remove' : 'merge')}
      onDone={() => {
        if (isRemoval) go('/code');
      }}
    />
  );
}
