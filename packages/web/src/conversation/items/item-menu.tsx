// The menu of a message: copy it, edit it, ask again, fork from it, see it as the program wrote it.

import type { Item, ToolState } from '@parley/client';
import { Braces, Copy, Ellipsis, GitFork, Pencil, RotateCcw } from 'lucide-react';
import { createContext, type ReactNode, use, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { CopyButton, copyText } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { type Repeat, ToolFactsContext, useConversationControls } from '../context.ts';
import { dayAndTime } from '../times.ts';
import { record, text } from '../tools/read.ts';
import { withoutStyles } from '../tools/terminal-output.ts';
import { JsonText, parsed } from './json-text.tsx';
import { RewindItem } from './rewind-files.tsx';

const ShowRaw = createContext<(frames: readonly string[]) => void>(() => undefined);

/** One dialog for all messages. */
export function RawMessages({ children }: { children: ReactNode }) {
  const [frames, setFrames] = useState<readonly string[]>();
  return (
    <ShowRaw value={setFrames}>
      {children}
      <Dialog
        open={frames !== undefined}
        onOpenChange={() => setFrames(undefined)}
        title={t('Raw JSON')}
        wide
      >
        <div className="grid gap-4">
          {frames?.map((frame, at) => (
            <div key={at} className="relative">
              <JsonText value={parsed(frame)} />
              <div className="absolute top-1 right-1 rounded-lg bg-code">
                <CopyButton label={t('Copy JSON')} text={() => frame} />
              </div>
            </div>
          ))}
        </div>
      </Dialog>
    </ShowRaw>
  );
}

export function ItemMenu({ item, copy }: { item: Item; copy?: string }) {
  const show = use(ShowRaw);
  const { tools } = use(ToolFactsContext);
  const { repeat } = useConversationControls();
  const state = item.kind === 'tool' ? tools.get(item.id) : undefined;
  const copies = copy === undefined ? copiesOf(item, state) : [{ name: t('Copy text'), words: copy }];
  const frames = [item.frame, state?.frame].filter((frame) => frame !== undefined);
  const versions = repeat?.mayBranch ? repeat : undefined;
  const prompt = item.kind === 'prompt' && item.promptId !== undefined ? item : undefined;
  if (item.at === undefined && copies.length === 0 && frames.length === 0) return null;
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t('Message menu')}
          className="grid h-7 w-5 shrink-0 sm:w-7 sm:-right-9 sm:absolute sm:top-0 place-items-center rounded-md text-faint opacity-0 hover:bg-sunken hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 print:hidden [@media(hover:none)]:opacity-60"
        >
          <Ellipsis size={15} aria-hidden />
        </button>
      }
    >
      {item.at !== undefined && <MenuLabel>{dayAndTime(item.at)}</MenuLabel>}
      {versions && prompt && (
        <>
          <MenuItem onSelect={() => versions.edit(prompt)}>
            <Pencil size={15} aria-hidden />
            {t('Edit and send again')}
          </MenuItem>
          <MenuItem onSelect={() => versions.ask(prompt)}>
            <RotateCcw size={15} aria-hidden />
            {t('Ask again')}
          </MenuItem>
        </>
      )}
      {versions && prompt && <RewindItem prompt={prompt} />}
      {versions && <ForkFrom item={item} repeat={versions} />}
      {copies.map(({ name, words }) => (
        <MenuItem key={name} onSelect={() => void copyText(words)}>
          <Copy size={15} aria-hidden />
          {name}
        </MenuItem>
      ))}
      {frames.length > 0 && (
        <MenuItem onSelect={() => show(frames)}>
          <Braces size={15} aria-hidden />
          {t('Show raw JSON')}
        </MenuItem>
      )}
    </Menu>
  );
}

/** Not for what a subagent said. */
function ForkFrom({ item, repeat }: { item: Item; repeat: Repeat }) {
  const { conversation } = useConversationControls();
  const isWords = item.kind === 'prompt' || item.kind === 'text' || item.kind === 'end';
  if (!isWords || !conversation.snapshot().view.items.includes(item)) return null;
  return (
    <MenuItem onSelect={() => repeat.fork(item)}>
      <GitFork size={15} aria-hidden />
      {t('Fork from here')}
    </MenuItem>
  );
}

/** What is useful elsewhere: the command, the path of the file, the output. */
function copiesOf(item: Item, state: ToolState | undefined): readonly { name: string; words: string }[] {
  if (item.kind !== 'tool') return [];
  const { command, file_path: path } = record(item.input);
  return [
    { name: t('Copy command'), words: text(command) },
    { name: t('Copy path'), words: text(path) },
    { name: t('Copy output'), words: state?.text && withoutStyles(state.text) },
  ].flatMap(({ name, words }) => (words === undefined || words === '' ? [] : [{ name, words }]));
}
