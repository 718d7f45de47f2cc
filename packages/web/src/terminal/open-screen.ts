// Sets up the terminal emulator, including what the program in it may not do.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITheme, Terminal } from '@xterm/xterm';
import { copyText } from '../ui/copy-button.tsx';
import '@xterm/xterm/css/xterm.css';

export interface Screen {
  write(bytes: Uint8Array): void;
  onInput(listener: (bytes: Uint8Array<ArrayBuffer>) => void): void;
  fit(): void;
  size(): { cols: number; rows: number };
  clear(): void;
  find(text: string, isBackwards: boolean): boolean;
  focus(): void;
  close(): void;
}

export interface ScreenOptions {
  /** Somebody clicked a link. Show where it leads before opening it. */
  readonly onLink: (address: string) => void;
  readonly onSearch: () => void;
}

const fontSize = 13;
// The emulator measures a letter when it opens, so the font has to be loaded. If that fails, it uses the system's font.
await document.fonts.load(`${fontSize}px "DejaVu Mono"`).catch(() => undefined);

export function openScreen(element: HTMLElement, { onLink, onSearch }: ScreenOptions): Screen {
  const follow = (event: MouseEvent, address: string) => {
    event.preventDefault();
    if (/^https?:\/\//i.test(address)) onLink(address);
  };
  const terminal = new Terminal({
    fontFamily: '"DejaVu Mono", "Noto Sans Symbols 2", monospace',
    fontSize,
    lineHeight: 1.2,
    cursorBlink: true,
    scrollback: 5_000,
    theme: themeOf(element),
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    // For links with their own text, which may show a different address than the one they lead to.
    linkHandler: { activate: follow, allowNonHttpProtocols: false },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon(follow));
  // Programs may not read or write the person's clipboard.
  terminal.parser.registerOscHandler(52, () => true);
  terminal.attachCustomKeyEventHandler((event) => onKey(event, terminal, onSearch));
  terminal.open(element);
  styleByObject(terminal);
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
    find: (text, isBackwards) => (isBackwards ? search.findPrevious(text) : search.findNext(text)),
    focus: () => terminal.focus(),
    close: () => terminal.dispose(),
  };
}

/** False keeps the key from the program. */
function onKey(event: KeyboardEvent, terminal: Terminal, onSearch: () => void): boolean {
  if (event.type !== 'keydown' || !(event.ctrlKey || event.metaKey)) return true;
  const key = event.key.toLowerCase();
  if (key === 'f' && !event.shiftKey) {
    event.preventDefault();
    onSearch();
    return false;
  }
  // Ctrl+C copies the selection if there is one. Otherwise it interrupts, as in every terminal.
  if (key === 'c' && terminal.hasSelection()) {
    event.preventDefault();
    void copyText(terminal.getSelection());
    terminal.clearSelection();
    return false;
  }
  // The browser handles pasting.
  return key !== 'v';
}

/** The page's colors; all others are the terminal's defaults. */
function themeOf(element: HTMLElement): ITheme {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    background: color('paper'),
    foreground: color('ink'),
    cursor: color('accent'),
    cursorAccent: color('paper'),
    selectionBackground: `${color('accent')}55`,
  };
}

/**
 * The emulator colors its letters with style attributes, which the page's content security policy forbids, and has no
 * option to avoid that. This replaces the one function that does it: the style object takes the same text, and the
 * policy allows it because no markup is parsed. If a later version does it elsewhere, the tests report a refused style.
 */
function styleByObject(terminal: Terminal): void {
  const inside = terminal as unknown as {
    _core?: { _renderService?: { _renderer?: { value?: { _rowFactory?: RowFactory } } } };
  };
  const rows = inside._core?._renderService?._renderer?.value?._rowFactory;
  if (!rows) return;
  rows._addStyle = (element, style) => {
    element.style.cssText += `${style};`;
  };
}

interface RowFactory {
  _addStyle(element: HTMLElement, style: string): void;
}
