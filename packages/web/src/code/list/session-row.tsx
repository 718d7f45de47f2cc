// One session in the list.

import type { CodeSessionView } from '@parley/protocol';
import { Link } from 'wouter';
import { useHere } from '../../app/me.tsx';
import { ago } from '../../conversation/times.ts';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import { Badge } from '../../ui/notes.tsx';
import { titleOf } from './use-sessions.ts';

interface Dot {
  readonly look: string;
  readonly words: () => string;
}

const dots: Record<CodeSessionView['status'], Dot> = {
  active: { look: 'bg-good', words: () => t('Awake') },
  archived: { look: 'border border-faint/60', words: () => t('Asleep') },
  dead: { look: 'bg-danger', words: () => t('Failed') },
};
const working: Dot = { look: 'animate-pulse bg-accent ring-3 ring-accent/25', words: () => t('Working') };

export function SessionRow({ session, isOpen }: { session: CodeSessionView; isOpen: boolean }) {
  const { look, words } = session.working ? working : dots[session.status];
  const { terminal } = useHere();
  return (
    <Link
      href={session.mode === 'cli' && terminal ? `/code/${session.id}/terminal` : `/code/${session.id}`}
      aria-current={isOpen ? 'page' : undefined}
      className={classes(
        'block rounded-xl px-3 py-2.5 transition-colors',
        isOpen ? 'bg-accent-wash' : 'hover:bg-sunken',
      )}
    >
      <span className="flex items-center gap-2">
        <span aria-hidden className={classes('size-2 shrink-0 rounded-full', look)} title={words()} />
        <span className="sr-only">{t('{status}:', { status: words() })} </span>
        <span className="min-w-0 flex-1 truncate font-medium text-sm">{titleOf(session)}</span>
        {session.waiting && <Badge tone="warn">{t('Needs you')}</Badge>}
        {session.status === 'dead' && <Badge tone="danger">{t('Failed')}</Badge>}
      </span>
      <span className="mt-1 flex items-center gap-2 pl-4 text-faint text-xs">
        <span className="min-w-0 flex-1 truncate">
          {session.workingDir.split('/').at(-1)}
          {session.gitBranch !== undefined && session.gitBranch !== 'HEAD' && ` · ${session.gitBranch}`}
          {session.mode === 'cli' && ` · ${t('terminal')}`}
        </span>
        <span className="shrink-0 tabular-nums">
          {session.working && !session.waiting ? t('working') : ago(session.updatedAt, Date.now())}
        </span>
      </span>
    </Link>
  );
}
