// What can be done with any message: see it as the program wrote it, copy its words.
import { Braces, Copy, Ellipsis } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { CopyButton, copyText } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import type { Item, ToolResult } from '../model/items.ts';
import { type Frame, text } from '../model/read.ts';
import { withoutStyles } from '../model/terminal-text.ts';
import { JsonText } from './json-text.tsx';
import { moment } from './times.ts';
import { useTranscript } from './transcript-context.ts';

const ShowRaw = createContext<(frames: readonly Frame[]) => void>(() => undefined);

/** Holds the dialog once for all messages. */
export function RawMessages({ children }: { children: ReactNode }) {
  const [frames, setFrames] = useState<readonly Frame[]>();
  return (
    <ShowRaw value={setFrames}>
      {children}
      <Dialog
        open={frames !== undefined}
        onOpenChange={() => setFrames(undefined)}
        title="As the program wrote it"
        wide
      >
        <div className="grid gap-4">
          {frames?.map((frame, at) => (
            <div key={at} className="relative">
              <JsonText value={frame} />
              <div className="absolute top-1 right-1 rounded-lg bg-code">
                <CopyButton label="Copy the JSON" text={() => JSON.stringify(frame)} />
              </div>
            </div>
          ))}
        </div>
      </Dialog>
    </ShowRaw>
  );
}

export function ItemMenu({ item, copy }: { item: Item; copy?: string }) {
  const show = useContext(ShowRaw);
  const { results } = useTranscript();
  const result = item.kind === 'tool' ? results.get(item.id) : undefined;
  const copies = copy === undefined ? copiesOf(item, result) : [{ name: 'Copy text', words: copy }];
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="Message menu"
          className="grid h-7 w-5 shrink-0 sm:w-7 sm:-right-9 sm:absolute sm:top-0 place-items-center rounded-md text-faint opacity-0 hover:bg-sunken hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:opacity-60"
        >
          <Ellipsis size={15} aria-hidden />
        </button>
      }
    >
      {item.at !== undefined && <MenuLabel>{moment(item.at)}</MenuLabel>}
      {copies.map(({ name, words }) => (
        <MenuItem key={name} onSelect={() => void copyText(words)}>
          <Copy size={15} aria-hidden />
          {name}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => show(result ? [item.raw, result.raw] : [item.raw])}>
        <Braces size={15} aria-hidden />
        Show raw JSON
      </MenuItem>
    </Menu>
  );
}

/** What is of use elsewhere: the command that ran, the file that was touched, what came of it. */
function copiesOf(item: Item, result: ToolResult | undefined): readonly { name: string; words: string }[] {
  if (item.kind !== 'tool') return [];
  const { command, file_path: path } = item.input;
  return [
    { name: 'Copy command', words: text(command) },
    { name: 'Copy path', words: text(path) },
    { name: 'Copy output', words: result && withoutStyles(result.text) },
  ].flatMap(({ name, words }) => (words === undefined || words === '' ? [] : [{ name, words }]));
}
