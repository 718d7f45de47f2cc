// The header of a session: its title, its folder, what it used, and what can be done with it.

import type { Conversation, Facts } from '@parley/client';
import type { CodeSessionView } from '@parley/protocol';
import { ArrowLeft, FolderGit2, FolderTree, SquareTerminal } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { usePageTitle } from '../app/page-title.ts';
import { ContextButton } from '../context-use/context-button.tsx';
import { t } from '../i18n/translate.ts';
import { SharedSessionMenu } from '../session-list/shared-session-menu.tsx';
import { SharedBadge } from '../sharing/shared-badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { titleOf } from './list/use-sessions.ts';
import { SandboxSign } from './sandbox-note.tsx';
import { SessionActions } from './session-actions.tsx';

export function SessionHeader({
  session,
  conversation,
  facts,
  onFiles,
}: {
  session: CodeSessionView;
  conversation: Conversation;
  facts: Facts;
  onFiles: () => void;
}) {
  const [, go] = useLocation();
  const { terminal, person } = useHere();
  usePageTitle(titleOf(session));
  return (
    <header className="flex shrink-0 items-center gap-2 border-line border-b bg-raised px-2 py-2 sm:px-4 print:hidden">
      <BackToSessions />
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold text-[0.95rem]">{titleOf(session)}</h1>
        <Place session={session} />
      </div>
      <SharedBadge session={session.id} owner={session.shared?.owner ?? person} />
      <ContextButton
        conversation={conversation}
        facts={facts}
        totalTokens={0}
        costUsd={facts.totalCostUsd ?? session.costUsd ?? 0}
        canCompact={session.shared?.access !== 'read'}
      />
      <IconButton label={t('Files')} onClick={onFiles}>
        <FolderTree size={18} aria-hidden />
      </IconButton>
      {terminal && !session.shared && (
        <IconButton label={t('Open in the terminal')} onClick={() => go(`/code/${session.id}/terminal`)}>
          <SquareTerminal size={18} aria-hidden />
        </IconButton>
      )}
      {session.shared ? (
        <SharedSessionMenu session={session.id} label={t('Session menu')} />
      ) : (
        <SessionActions session={session} />
      )}
    </header>
  );
}

/** For small screens, where the list is not next to the page. */
export function BackToSessions() {
  return (
    <Link
      href="/code"
      aria-label={t('All sessions')}
      className="grid size-9 place-items-center rounded-lg text-soft hover:bg-sunken md:hidden"
    >
      <ArrowLeft size={18} aria-hidden />
    </Link>
  );
}

export function Place({ session }: { session: CodeSessionView }) {
  return (
    <p className="flex items-center gap-1.5 truncate text-faint text-xs" title={session.workingDir}>
      <FolderGit2 size={13} className="shrink-0" aria-hidden />
      <span className="truncate">{session.workingDir.split('/').at(-1)}</span>
      {session.gitBranch !== undefined && session.gitBranch !== 'HEAD' && (
        <span className="truncate font-mono">{session.gitBranch}</span>
      )}
      <SandboxSign sandbox={session.sandbox} />
    </p>
  );
}
