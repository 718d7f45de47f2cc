// Something the person should know: a retry, a compaction, the output of a command.
import type { NoticeItem } from '@parley/client';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { classes } from '../../ui/classes.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { ItemMenu } from './item-menu.tsx';

const looks: Record<NoticeItem['tone'], { icon: typeof Info; look: string }> = {
  plain: { icon: Info, look: 'text-soft' },
  warn: { icon: TriangleAlert, look: 'text-warn' },
  danger: { icon: CircleAlert, look: 'text-danger' },
};

export function Notice({ item }: { item: NoticeItem }) {
  const { icon: Icon, look } = looks[item.tone];
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
