// One item of a transcript: each kind has its own renderer.
import type { Item, NoticeItem, PermissionItem, RawItem, SettledPermission } from '@parley/client';
import { ChefHat, CircleAlert, FileJson2, Info, ShieldCheck, ShieldX, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode, use } from 'react';
import { translatedSentence } from '../../i18n/server-text.ts';
import { t } from '../../i18n/translate.ts';
import { RecipeCard } from '../../recipes/recipe-card.tsx';
import { classes } from '../../ui/classes.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { ToolFactsContext, useConversationControls } from '../context.ts';
import { rowKey } from '../rows.ts';
import { readableName } from '../tools/describe-tool.ts';
import { Collapsible } from './collapsible.tsx';
import { End } from './end.tsx';
import { ItemMenu } from './item-menu.tsx';
import { JsonText, parsed } from './json-text.tsx';
import { PartsOf } from './open-parts.tsx';
import { Prompt } from './prompt.tsx';
import { Thinking } from './thinking.tsx';

export interface ItemProps {
  readonly item: Item;
  /** More of it will follow. */
  readonly isWriting?: boolean;
}

export const ItemView = memo(function ItemView(props: ItemProps) {
  return (
    <PartsOf item={rowKey(props.item)}>
      <ItemForm {...props} />
    </PartsOf>
  );
});

function ItemForm({ item, isWriting = false }: ItemProps) {
  const { kind } = useConversationControls();
  switch (item.kind) {
    case 'prompt':
      return <Prompt item={item} />;
    case 'text':
      return (
        <WithMenu item={item} copy={item.text} isWriting={isWriting}>
          <Markdown isStreaming={isWriting}>{item.text}</Markdown>
        </WithMenu>
      );
    case 'thinking':
      return (
        <WithMenu item={item} copy={item.text} isWriting={isWriting}>
          <Thinking text={item.text} isLive={isWriting} />
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
      return (
        <WithMenu item={item} copy={item.detail ?? item.text}>
          <Notice item={item} />
        </WithMenu>
      );
    case 'end':
      return <End item={item} />;
    case 'raw':
      return <Raw item={item} />;
    default:
      return item satisfies never;
  }
}

function WithMenu({
  item,
  copy,
  isWriting = false,
  children,
}: ItemProps & { copy?: string; children: ReactNode }) {
  return (
    <div className="group relative flex items-start gap-1">
      <div className="min-w-0 flex-1">{children}</div>
      {!isWriting && <ItemMenu item={item} {...(copy !== undefined && { copy })} />}
    </div>
  );
}

/** A message that this version of Parley doesn't know. */
function Raw({ item }: { item: RawItem }) {
  return (
    <div className="overflow-hidden rounded-xl border border-line border-dashed">
      <Collapsible
        part="raw"
        className="flex w-full gap-2.5 px-3 py-2 text-soft hover:bg-sunken"
        line={
          <>
            <FileJson2 size={16} className="shrink-0 text-faint" aria-hidden />
            <span className="min-w-0 flex-1 truncate font-mono text-xs">{item.name}</span>
          </>
        }
      >
        <JsonText value={parsed(item.frame ?? '')} />
      </Collapsible>
    </div>
  );
}

/** How a permission was decided, in the place where it was asked. */
function Decision({ item: { id, request } }: { item: PermissionItem }) {
  const { settled } = use(ToolFactsContext);
  const decision = settled.get(request.toolUseId ?? id);
  if (!decision) return null;
  const isAllowed = decision.behavior === 'allow';
  const Icon = isAllowed ? ShieldCheck : ShieldX;
  return (
    <p className="flex items-center gap-2 text-faint text-sm">
      <Icon size={15} className={isAllowed ? 'text-good' : 'text-danger'} aria-hidden />
      {wordsFor(readableName(request.tool), decision)}
    </p>
  );
}

function wordsFor(tool: string, { behavior, reason }: SettledPermission): string {
  switch (reason) {
    case 'decided':
      return behavior === 'allow' ? t('{tool} was allowed.', { tool }) : t('{tool} was denied.', { tool });
    case 'allowed-for-session':
      return t('{tool} is allowed for this session.', { tool });
    case 'cancelled':
      return t('{tool} was canceled before anybody decided.', { tool });
    case 'turn-ended':
      return t('The answer ended before anybody decided on {tool}.', { tool });
    default:
      return reason satisfies never;
  }
}

const looks: Record<NoticeItem['tone'], { icon: typeof Info; look: string }> = {
  plain: { icon: Info, look: 'text-soft' },
  warn: { icon: TriangleAlert, look: 'text-warn' },
  danger: { icon: CircleAlert, look: 'text-danger' },
};

/** Notices that the app words itself. */
const known: Readonly<Record<string, (() => string) | undefined>> = {
  untrusted_folder: () => t('No one has trusted this folder yet, so its configuration is not used.'),
  interrupted: () => t('Stopped'),
};

/** Something the person should know: a retry, a compaction, the output of a command. */
function Notice({ item: { code, tone, text: said, detail = '' } }: { item: NoticeItem }) {
  const { icon: Icon, look } = looks[tone];
  const text = known[code]?.() ?? translatedSentence(said) ?? said;
  return (
    <div className={classes('text-sm', look)}>
      <p className="flex items-start gap-2">
        <Icon size={15} className="mt-0.5 shrink-0" aria-hidden />
        <span className="min-w-0 whitespace-pre-wrap break-words">{text}</span>
      </p>
      {detail.trim() !== '' && (
        <ScrollBox
          label={text}
          className="mt-1.5 ml-6 max-h-60 whitespace-pre-wrap break-words rounded-lg bg-code p-3 font-mono text-ink text-xs"
        >
          {detail}
        </ScrollBox>
      )}
    </div>
  );
}
