// The program's own terminal screen in the browser.
import { useMutation } from '@tanstack/react-query';
import { PanelsTopLeft, Search, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { client } from '../client.ts';
import { titleOf, useSession } from '../code/list/use-sessions.ts';
import { BackToSessions, Place } from '../code/session-header.tsx';
import { TrustCard } from '../code/trust-card.tsx';
import { ConnectionLost } from '../conversation/connection-lost.tsx';
import { errorText } from '../i18n/error-text.ts';
import { serverText } from '../i18n/server-text.ts';
import { t } from '../i18n/translate.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/notes.tsx';
import { type ScreenState, TerminalScreen } from './terminal-screen.tsx';

export function TerminalPage({ id }: { id: string }) {
  const session = useSession(id);
  const [, go] = useLocation();
  const [state, setState] = useState<ScreenState>({ type: 'connecting' });
  const [isSearching, setSearching] = useState(false);
  const [link, setLink] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const [round, setRound] = useState(0);
  // What happens in the terminal ends up in the transcript, not in events, so the page has to load it again afterwards.
  useEffect(() => client.forget(id), [id]);
  const takeOver = useMutation({ mutationFn: stopTurn, onSuccess: () => setRound(round + 1) });
  const onSearch = useCallback(() => setSearching(true), []);
  if (session.isError) {
    return (
      <div className="mx-auto max-w-lg p-6">
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </div>
    );
  }
  return (
    <main className="flex h-full min-h-0 flex-col">
      <header className="flex shrink-0 items-center gap-2 border-line border-b bg-raised px-2 py-2 sm:px-4">
        <BackToSessions />
        <div className="min-w-0 flex-1">
          <h1 className="truncate font-semibold text-[0.95rem]">
            {session.data ? titleOf(session.data) : t('Terminal')}
          </h1>
          {session.data && <Place session={session.data} />}
        </div>
        <IconButton label={t('Search the terminal (Ctrl+F)')} onClick={onSearch}>
          <Search size={17} aria-hidden />
        </IconButton>
        <Button onClick={() => go(`/code/${id}`)}>
          <PanelsTopLeft size={16} aria-hidden />
          <span className="hidden sm:inline">{t('Open as a page')}</span>
          <span className="sm:hidden">{t('Page')}</span>
        </Button>
      </header>
      <ConnectionLost isLost={state.type === 'lost'} />
      {session.data && (
        <div className="mx-auto w-full max-w-3xl px-4 pt-2 empty:hidden">
          <TrustCard workingDir={session.data.workingDir} refreshKey={String(round)} isTerminal />
        </div>
      )}
      {(state.type === 'ended' || state.type === 'taken') && (
        <div className="flex items-center justify-between gap-3 border-line border-b bg-raised px-4 py-2 text-sm">
          <span role="status">{takeOver.isError ? errorText(takeOver.error) : reasonOf(state)}</span>
          {state.type === 'taken' ? (
            <Button look="primary" disabled={takeOver.isPending} onClick={() => takeOver.mutate(id)}>
              {t('Take over here')}
            </Button>
          ) : (
            <Button look="primary" onClick={() => setRound(round + 1)}>
              {t('Restart')}
            </Button>
          )}
        </div>
      )}
      {notice !== undefined && (
        <div className="flex items-center justify-between gap-3 border-line border-b bg-warn-wash px-4 py-2 text-sm text-warn">
          <span role="status">{serverText(notice)}</span>
          <IconButton label={t('Close')} className="size-8" onClick={() => setNotice(undefined)}>
            <X size={15} aria-hidden />
          </IconButton>
        </div>
      )}
      <TerminalScreen
        key={round}
        id={id}
        isSearching={isSearching}
        onSearching={setSearching}
        onState={setState}
        onNotice={setNotice}
        onLink={setLink}
      />
      <Dialog
        open={link !== undefined}
        onOpenChange={() => setLink(undefined)}
        title={t('Open this link?')}
        description={t('The link comes from the program in the terminal. It opens in a new tab.')}
      >
        <p className="mb-4 break-all rounded-lg bg-code p-3 font-mono text-sm">{link}</p>
        <DialogButtons onCancel={() => setLink(undefined)}>
          <Button
            look="primary"
            onClick={() => {
              window.open(link, '_blank', 'noopener,noreferrer');
              setLink(undefined);
            }}
          >
            {t('Open')}
          </Button>
        </DialogButtons>
      </Dialog>
    </main>
  );
}

/** Translated, if the server's sentence is known. */
function reasonOf(state: Extract<ScreenState, { reason: string }>): string {
  return state.type === 'taken'
    ? t('Claude is working on this session in the app.')
    : serverText(state.reason);
}

const pollMs = 250;
const longestMs = 15_000;

/** Resolves when the session is free, or after a while. */
async function stopTurn(id: string): Promise<void> {
  await client.sessions.interrupt(id);
  const until = Date.now() + longestMs;
  while ((await client.sessions.get(id)).running !== null && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, pollMs));
}
