// The emulator colours its letters by style attributes, which the page's content policy forbids. It offers no other
// way, so that the one place where it does so is replaced: a style object takes the same text, and the policy allows
// it since no markup is parsed. A later version that does it elsewhere shows in the tests as a refused style.
import type { Terminal } from '@xterm/xterm';

interface RowFactory {
  _addStyle(element: HTMLElement, style: string): void;
}

export function colourByStyleObject(terminal: Terminal): void {
  const rows = rowFactoryOf(terminal);
  if (!rows) return;
  rows._addStyle = (element, style) => {
    element.style.cssText += `${style};`;
  };
}

function rowFactoryOf(terminal: Terminal): RowFactory | undefined {
  const inside = terminal as unknown as {
    _core?: { _renderService?: { _renderer?: { value?: { _rowFactory?: RowFactory } } } };
  };
  return inside._core?._renderService?._renderer?.value?._rowFactory;
}
