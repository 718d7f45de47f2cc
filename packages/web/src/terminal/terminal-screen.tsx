// A terminal on the page, connected to the session's screen on the server.

import type { TerminalNotice } from '@parley/protocol';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { openScreen, type Screen } from './open-screen.ts';

export type ScreenState =
  /** `lost`: the page tries to connect again. */
  | { readonly type: 'connecting' | 'open' | 'lost' }
  /** The session was closed, or the server refuses. */
  | { readonly type: 'ended'; readonly reason: string }
  /** A turn is running in the app. */
  | { readonly type: 'taken'; readonly reason: string };

const resizeMs = 120;
/** How the server closes the socket of a session that ended, or that it can't open. */
const ended = 1000;
const failed = 1011;
/** A turn is running in it. */
const taken = 4409;

export function TerminalScreen({
  id,
  isSearching,
  onSearching,
  onState,
  onNotice,
  onLink,
}: {
  id: string;
  isSearching: boolean;
  onSearching: (isSearching: boolean) => void;
  onState: (state: ScreenState) => void;
  /** Called with messages from the server that the screen doesn't show. */
  onNotice: (message: string) => void;
  onLink: (address: string) => void;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<Screen>();

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const opened = openScreen(element, { onLink, onSearch: () => onSearching(true) });
    setScreen(opened);
    const resize = () => socket.send(JSON.stringify({ type: 'resize', ...opened.size() }));
    const socket = client.socket(`/api/claude/sessions/${id}/terminal`, {
      onOpen: () => {
        // The server sends its whole screen, so clear what was drawn before the connection broke.
        opened.clear();
        resize();
        onState({ type: 'open' });
      },
      onMessage: (data) => {
        if (data instanceof ArrayBuffer) opened.write(new Uint8Array(data));
        else onNotice((JSON.parse(String(data)) as TerminalNotice).message);
      },
      onLost: ({ code, reason }) => {
        if (code === taken) {
          onState({ type: 'taken', reason });
          return false;
        }
        const isOver = code === ended || (code === failed && reason !== '' && reason !== 'failed');
        onState(
          isOver ? { type: 'ended', reason: reason || t('The session was closed.') } : { type: 'lost' },
        );
        return !isOver;
      },
    });
    onState({ type: 'connecting' });
    opened.onInput((bytes) => socket.send(bytes));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        opened.fit();
        resize();
      }, resizeMs);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      socket.close();
      opened.close();
    };
  }, [id, onLink, onNotice, onSearching, onState]);

  return (
    // The program draws for a dark background, whatever the page's theme.
    <div data-theme="dark" className="relative min-h-0 flex-1 bg-paper text-ink">
      <div ref={holder} className="absolute inset-y-2 right-0 left-3 overflow-hidden" />
      {isSearching && screen && (
        <SearchBar
          onFind={(text, isBackwards) => screen.find(text, isBackwards)}
          onClose={() => {
            onSearching(false);
            screen.focus();
          }}
        />
      )}
    </div>
  );
}

function SearchBar({
  onFind,
  onClose,
}: {
  onFind: (text: string, isBackwards: boolean) => boolean;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (isBackwards: boolean) => setFound(text === '' || onFind(text, isBackwards));
  return (
    <search className="absolute top-2 right-4 z-10 flex items-center gap-1 rounded-xl border border-line bg-raised p-1 pl-3 shadow-lg">
      <input
        autoFocus
        aria-label={t('Search the terminal')}
        placeholder={t('Search')}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setFound(target.value === '' || onFind(target.value, true));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter') find(!event.shiftKey);
          else return;
          event.preventDefault();
        }}
        className="h-8 w-40 bg-transparent text-sm outline-none placeholder:text-faint"
      />
      <span role="status" className="px-1 text-danger text-xs">
        {isFound ? '' : t('Not found')}
      </span>
      <IconButton label={t('Previous match')} className="size-8" onClick={() => find(true)}>
        <ArrowUp size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('Next match')} className="size-8" onClick={() => find(false)}>
        <ArrowDown size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('Close search')} className="size-8" onClick={onClose}>
        <X size={15} aria-hidden />
      </IconButton>
    </search>
  );
}
