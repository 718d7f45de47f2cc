// Claude Code sessions: the list, and the open one next to it.

import { Plus, SquareTerminal } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { NothingHere } from '../app/nothing-here.tsx';
import { usePageTitle } from '../app/page-title.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Spinner } from '../ui/notes.tsx';
import { CodeSessionList } from './list/session-list.tsx';
import { NewSession } from './new-session.tsx';
import { SessionPage } from './session-page.tsx';

const TerminalPage = lazy(async () => ({
  default: (await import('../terminal/terminal-page.tsx')).TerminalPage,
}));

export function CodePage() {
  const [at, go] = useLocation();
  const { terminal } = useHere();
  const openId = /^\/code\/([0-9a-f-]{36})/.exec(at)?.[1];
  return (
    <div className="flex h-full min-h-0">
      <aside
        className={
          openId === undefined
            ? 'w-full min-w-0 border-line bg-raised md:w-72 md:shrink-0 md:border-r lg:w-80'
            : 'hidden shrink-0 border-line border-r bg-raised md:block md:w-72 lg:w-80'
        }
      >
        <CodeSessionList openId={openId} />
      </aside>
      {/* On a phone the page shows only the list, but it still needs a heading. */}
      {openId === undefined && (
        <main className="sr-only md:hidden">
          <h1>Claude Code</h1>
        </main>
      )}
      <div className={openId === undefined ? 'hidden min-w-0 flex-1 md:block' : 'min-w-0 flex-1'}>
        <Switch>
          <Route path="/code/:id/terminal">
            {({ id }) =>
              terminal ? (
                <Suspense fallback={<Waiting />}>
                  <TerminalPage key={id} id={id} />
                </Suspense>
              ) : (
                <Redirect to={`/code/${id}`} replace />
              )
            }
          </Route>
          <Route path="/code/new">{() => <Nothing />}</Route>
          <Route path="/code/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
          <Route path="/code">{() => <Nothing />}</Route>
          <Route>{() => <NothingHere />}</Route>
        </Switch>
      </div>
      <NewSession open={at === '/code/new'} onClose={() => go('/code')} />
    </div>
  );
}

function Nothing() {
  const [, go] = useLocation();
  usePageTitle('Claude Code');
  return (
    <main className="grid h-full place-items-center">
      <div>
        <h1 className="sr-only">Claude Code</h1>
        <Empty icon={<SquareTerminal size={22} aria-hidden />} title="Claude Code">
          <p className="mb-5">
            {t(
              'Claude works in one of your folders and asks before it changes anything. Open a session, or start a new one.',
            )}
          </p>
          <Button onClick={() => go('/code/new')}>
            <Plus size={16} aria-hidden />
            {t('New session')}
          </Button>
        </Empty>
      </div>
    </main>
  );
}

function Waiting(): ReactNode {
  return (
    <div className="p-8">
      <Spinner label={t('Opening the terminal …')} />
    </div>
  );
}
