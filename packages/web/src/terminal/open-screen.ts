// The terminal emulator, put together: what it can do, and what a program on the other side may not do with it.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITheme, Terminal } from '@xterm/xterm';
import { copyText } from '../ui/copy-button.tsx';
import { colourByStyleObject } from './colour-letters.ts';
import '@xterm/xterm/css/xterm.css';

export interface Screen {
  write(bytes: Uint8Array): void;
  onInput(listener: (bytes: Uint8Array<ArrayBuffer>) => void): void;
  fit(): void;
  size(): { cols: number; rows: number };
  clear(): void;
  find(words: string, isBackwards: boolean): boolean;
  focus(): void;
  close(): void;
}

export interface ScreenOptions {
  /** Somebody wants to follow a link; where it leads is for them to see first. */
  readonly onLink: (address: string) => void;
  readonly onSearch: () => void;
}

export function openScreen(element: HTMLElement, { onLink, onSearch }: ScreenOptions): Screen {
  const follow = (event: MouseEvent, address: string) => {
    event.preventDefault();
    if (/^https?:\/\//i.test(address)) onLink(address);
  };
  const terminal = new Terminal({
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize: 13,
    lineHeight: 1.2,
    cursorBlink: true,
    scrollback: 5_000,
    theme: themeOf(element),
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    // Links with a text of their own, which may say another address than they lead to.
    linkHandler: { activate: follow, allowNonHttpProtocols: false },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon(follow));
  // The clipboard is the person's: a program may not write to it or read it.
  terminal.parser.registerOscHandler(52, () => true);
  terminal.attachCustomKeyEventHandler((event) => onKey(event, terminal, onSearch));
  terminal.open(element);
  colourByStyleObject(terminal);
  fit.fit();
  terminal.focus();
  const encoder = new TextEncoder();

  return {
    write: (bytes) => terminal.write(bytes),
    onInput(listener) {
      terminal.onData((text) => listener(encoder.encode(text)));
      terminal.onBinary((text) => listener(Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)));
    },
    fit: () => fit.fit(),
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
    clear: () => terminal.reset(),
    find: (words, isBackwards) => (isBackwards ? search.findPrevious(words) : search.findNext(words)),
    focus: () => terminal.focus(),
    close: () => terminal.dispose(),
  };
}

/** False keeps a key from the program. */
function onKey(event: KeyboardEvent, terminal: Terminal, onSearch: () => void): boolean {
  if (event.type !== 'keydown' || !(event.ctrlKey || event.metaKey)) return true;
  const key = event.key.toLowerCase();
  if (key === 'f' && !event.shiftKey) {
    event.preventDefault();
    onSearch();
    return false;
  }
  // Control and C copies what is selected, and else interrupts as in every terminal.
  if (key === 'c' && terminal.hasSelection()) {
    event.preventDefault();
    void copyText(terminal.getSelection());
    terminal.clearSelection();
    return false;
  }
  // The browser pastes by itself.
  return key !== 'v';
}

/** The colours of the page; the others are the terminal's own. */
function themeOf(element: HTMLElement): ITheme {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    background: colour('paper'),
    foreground: colour('ink'),
    cursor: colour('accent'),
    cursorAccent: colour('paper'),
    selectionBackground: `${colour('accent')}55`,
  };
}
