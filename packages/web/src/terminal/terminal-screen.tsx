// A terminal on the page, connected to the session's screen on the server.
import { useEffect, useRef, useState } from 'react';
import { openScreen, type Screen } from './open-screen.ts';
import { ReconnectingSocket, type SocketState } from './reconnecting-socket.ts';
import { SearchBar } from './search-bar.tsx';

const resizeMs = 120;

export function TerminalScreen({
  id,
  isSearching,
  onSearching,
  onState,
  onLink,
}: {
  id: string;
  isSearching: boolean;
  onSearching: (isSearching: boolean) => void;
  onState: (state: SocketState) => void;
  onLink: (address: string) => void;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<Screen>();

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const opened = openScreen(element, { onLink, onSearch: () => onSearching(true) });
    setScreen(opened);
    const socket = new ReconnectingSocket({
      path: `/api/claude/sessions/${id}/terminal`,
      onMessage: (data) => {
        if (typeof data !== 'string') opened.write(new Uint8Array(data));
      },
      onState: (state) => {
        // The server sends its whole screen, so clear what was drawn before the connection broke.
        if (state.type === 'open') {
          opened.clear();
          socket.send(JSON.stringify({ type: 'resize', ...opened.size() }));
        }
        onState(state);
      },
    });
    opened.onInput((bytes) => socket.send(bytes));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        opened.fit();
        socket.send(JSON.stringify({ type: 'resize', ...opened.size() }));
      }, resizeMs);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      socket.close();
      opened.close();
    };
  }, [id, onLink, onSearching, onState]);

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
