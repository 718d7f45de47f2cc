// The frame of a tool card: one line with what the tool does and its status. It opens to show the details.

import {
  Bot,
  CircleDashed,
  CircleSlash,
  CircleStop,
  CircleX,
  ClipboardList,
  FilePen,
  FileText,
  Globe,
  ListTodo,
  LoaderCircle,
  MessageCircleQuestionMark,
  Search,
  ShieldQuestionMark,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import { Collapsible } from '../items/collapsible.tsx';
import type { ToolDescription, ToolShape } from './describe-tool.ts';
import type { ToolStatus } from './tool-status.ts';

type Icon = typeof Wrench;

const icons: Record<ToolShape, Icon> = {
  command: SquareTerminal,
  edit: FilePen,
  read: FileText,
  search: Search,
  web: Globe,
  todos: ListTodo,
  agent: Bot,
  question: MessageCircleQuestionMark,
  plan: ClipboardList,
  other: Wrench,
};

/** A call that went well shows the icon of its tool; every other one shows its status. */
const statuses: Record<
  ToolStatus,
  { words: () => string; icon: Icon | undefined; look: string; isQuiet?: true }
> = {
  running: { words: () => t('Running'), icon: LoaderCircle, look: 'animate-spin text-accent', isQuiet: true },
  waiting: { words: () => t('Needs permission'), icon: ShieldQuestionMark, look: 'text-warn' },
  done: { words: () => t('Done'), icon: undefined, look: 'text-faint', isQuiet: true },
  failed: { words: () => t('Failed'), icon: CircleX, look: 'text-danger' },
  denied: { words: () => t('Denied'), icon: CircleSlash, look: 'text-faint' },
  stopped: { words: () => t('Stopped'), icon: CircleStop, look: 'text-faint' },
  unfinished: { words: () => t('Not finished'), icon: CircleDashed, look: 'text-faint' },
};

export function ToolCard({
  description: { shape, verb, target, words },
  status,
  summary,
  isOpenAtFirst,
  children,
}: {
  description: ToolDescription;
  status: ToolStatus;
  /** The size of the change. */
  summary?: ReactNode;
  /** Applies until the person opens or closes it. */
  isOpenAtFirst: boolean;
  children: ReactNode;
}) {
  const { words: statusWords, icon: StatusIcon, look, isQuiet } = statuses[status];
  const Icon = StatusIcon ?? icons[shape];
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-raised">
      <Collapsible
        part="card"
        isOpenAtFirst={isOpenAtFirst}
        className="flex w-full gap-2.5 px-3 py-2 text-sm hover:bg-sunken"
        line={
          <>
            <Icon size={16} className={classes('shrink-0', look)} aria-hidden />
            <span className="min-w-0 flex-1 truncate">
              <span className="font-medium">{verb}</span>{' '}
              {target !== '' && <code className="ml-0.5 font-mono text-soft text-xs">{target}</code>}
              {target === '' && words !== undefined && <span className="ml-0.5 text-soft">{words}</span>}
            </span>
            {summary !== undefined && <span className="shrink-0 text-faint text-xs">{summary}</span>}
            <span className={classes('shrink-0 text-xs', isQuiet === true ? 'sr-only' : 'text-faint')}>
              {statusWords()}
            </span>
          </>
        }
      >
        <div className="border-line border-t">{children}</div>
      </Collapsible>
    </div>
  );
}
