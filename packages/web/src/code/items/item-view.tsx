// One thing in a transcript, in the form that fits it.
import { ChevronRight, CircleAlert, FileJson2, Info, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { dollars, whole } from '../../ui/amounts.ts';
import { classes } from '../../ui/classes.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import type { Item, NoteItem, Picture, PromptItem, RawItem, ResultItem } from '../model/items.ts';
import { ToolView } from '../tools/tool-view.tsx';
import { ItemMenu } from './item-menu.tsx';
import { JsonText } from './json-text.tsx';
import { PartsOf, useOpenPart } from './open-parts.tsx';
import { Thinking } from './thinking.tsx';
import { seconds } from './times.ts';

export const ItemView = memo(function ItemView({ item }: { item: Item }) {
  return (
    <PartsOf item={item}>
      <ItemForm item={item} />
    </PartsOf>
  );
});

const renderItem = (item: Item) => <ItemView key={item.key} item={item} />;

function ItemForm({ item }: { item: Item }) {
  switch (item.kind) {
    case 'prompt':
      return <Prompt item={item} />;
    case 'text':
      return (
        <WithMenu item={item} copy={item.text}>
          <Markdown>{item.text}</Markdown>
        </WithMenu>
      );
    case 'thinking':
      return (
        <WithMenu item={item} copy={item.text}>
          <Thinking text={item.text} />
        </WithMenu>
      );
    case 'tool':
      return (
        <WithMenu item={item}>
          <ToolView item={item} renderItem={renderItem} />
        </WithMenu>
      );
    case 'note':
      return <Note item={item} />;
    case 'result':
      return <Result item={item} />;
    case 'raw':
      return <Raw item={item} />;
    default:
      return item satisfies never;
  }
}

function WithMenu({ item, copy, children }: { item: Item; copy?: string; children: ReactNode }) {
  return (
    <div className="group relative flex items-start gap-1">
      <div className="min-w-0 flex-1">{children}</div>
      <ItemMenu item={item} {...(copy !== undefined && { copy })} />
    </div>
  );
}

function Prompt({ item }: { item: PromptItem }) {
  return (
    <div className="group relative mt-3 flex items-start justify-end gap-1">
      <PromptBubble text={item.text} pictures={item.pictures} />
      <ItemMenu item={item} copy={item.text} />
    </div>
  );
}

export function PromptBubble({
  text,
  pictures = [],
  isFaint = false,
}: {
  text: string;
  pictures?: readonly Picture[];
  isFaint?: boolean;
}) {
  return (
    <div
      className={classes(
        'min-w-0 max-w-[85%] rounded-2xl rounded-tr-md bg-accent-wash px-4 py-2.5',
        isFaint && 'opacity-70',
      )}
    >
      {pictures.length > 0 && (
        <div className="mb-2 flex flex-wrap gap-2">
          {pictures.map(({ mediaType, data }, at) => (
            <img
              key={at}
              src={`data:${mediaType};base64,${data}`}
              alt={`Attachment ${at + 1}`}
              className="max-h-48 rounded-lg border border-line"
            />
          ))}
        </div>
      )}
      <p className="whitespace-pre-wrap break-words leading-relaxed">{text}</p>
    </div>
  );
}

const noteLooks: Record<NoteItem['tone'], { icon: typeof Info; look: string }> = {
  plain: { icon: Info, look: 'text-soft' },
  warn: { icon: TriangleAlert, look: 'text-warn' },
  danger: { icon: CircleAlert, look: 'text-danger' },
};

function Note({ item }: { item: NoteItem }) {
  const { icon: Icon, look } = noteLooks[item.tone];
  return (
    <div className="group relative flex items-start gap-1">
      <div className={classes('min-w-0 flex-1 text-sm', look)}>
        <p className="flex items-start gap-2">
          <Icon size={15} className="mt-0.5 shrink-0" aria-hidden />
          <span className="min-w-0 whitespace-pre-wrap break-words">{item.text}</span>
        </p>
        {item.detail !== undefined && item.detail.trim() !== '' && (
          <ScrollBox
            label={item.text}
            className="mt-1.5 ml-6 max-h-60 whitespace-pre-wrap break-words rounded-lg bg-code p-3 font-mono text-ink text-xs"
          >
            {item.detail}
          </ScrollBox>
        )}
      </div>
      <ItemMenu item={item} copy={item.detail ?? item.text} />
    </div>
  );
}

/** The line below a turn. */
function Result({ item }: { item: ResultItem }) {
  const { durationMs, costUsd = 0, outputTokens = 0 } = item;
  const parts = [
    durationMs !== undefined && seconds(durationMs),
    costUsd > 0 && dollars(costUsd),
    outputTokens > 0 && `${whole(outputTokens)} tokens written`,
  ].filter(Boolean);
  return (
    <div className="group pb-2">
      {item.problem !== undefined && (
        <p className="mb-2 flex items-start gap-2 rounded-lg bg-danger-wash px-3 py-2 text-danger text-sm">
          <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
          <span className="min-w-0 whitespace-pre-wrap break-words">{item.problem}</span>
        </p>
      )}
      <div className="relative flex items-center gap-3 text-faint text-xs">
        <span className="h-px flex-1 bg-line" />
        <span className="tabular-nums">{parts.join(' · ')}</span>
        <span className="h-px flex-1 bg-line" />
        <ItemMenu item={item} />
      </div>
    </div>
  );
}

function Raw({ item }: { item: RawItem }) {
  const [isOpen, setOpen] = useOpenPart('raw');
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group overflow-hidden rounded-xl border border-line border-dashed text-sm"
    >
      <summary className="flex cursor-pointer items-center gap-2.5 px-3 py-2 text-soft hover:bg-sunken">
        <FileJson2 size={16} className="shrink-0 text-faint" aria-hidden />
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{item.type}</span>
        <ChevronRight
          size={15}
          aria-hidden
          className="shrink-0 text-faint transition-transform group-open:rotate-90"
        />
      </summary>
      <JsonText value={item.raw} />
    </details>
  );
}
