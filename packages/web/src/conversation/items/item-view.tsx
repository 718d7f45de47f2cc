// One item of a transcript: each kind has its own renderer.
import type { Item, RawItem } from '@parley/client';
import { ChefHat, ChevronRight, FileJson2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { RecipeCard } from '../../recipes/recipe-card.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { useOpenConversation } from '../context.ts';
import { Decision } from './decision.tsx';
import { End } from './end.tsx';
import { ItemMenu } from './item-menu.tsx';
import { JsonText, parsed } from './json-text.tsx';
import { Notice } from './notice.tsx';
import { PartsOf, useOpenPart } from './open-parts.tsx';
import { Prompt } from './prompt.tsx';
import { Thinking } from './thinking.tsx';

export const ItemView = memo(function ItemView({ item }: { item: Item }) {
  return (
    <PartsOf item={item}>
      <ItemForm item={item} />
    </PartsOf>
  );
});

function ItemForm({ item }: { item: Item }) {
  const { kind } = useOpenConversation();
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
          <kind.Tool item={item} />
        </WithMenu>
      );
    case 'permission':
      return <Decision item={item} />;
    case 'artifact':
      return <RecipeCard id={item.id} icon={<ChefHat size={18} aria-hidden />} />;
    case 'notice':
      return <Notice item={item} />;
    case 'end':
      return <End item={item} />;
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

/** A message that this version does not know. */
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
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{item.name}</span>
        <ChevronRight
          size={15}
          aria-hidden
          className="shrink-0 text-faint transition-transform group-open:rotate-90"
        />
      </summary>
      {isOpen && <JsonText value={parsed(item.frame ?? '')} />}
    </details>
  );
}
