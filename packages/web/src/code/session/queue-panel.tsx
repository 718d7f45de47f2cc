// Prompts that wait for the running turn to end. They can be put in another order or taken back.
import type { QueueData } from '@parley/protocol';
import { ArrowDown, ArrowUp, Clock, X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';

export function QueuePanel({
  prompts,
  onRemove,
  onReorder,
}: {
  prompts: QueueData['prompts'];
  onRemove: (turn: string) => void;
  onReorder: (order: readonly string[]) => void;
}) {
  if (prompts.length === 0) return null;
  const move = (from: number, to: number) => {
    const order = prompts.map(({ turn_id: id }) => id);
    const [moved] = order.splice(from, 1);
    if (moved !== undefined) order.splice(to, 0, moved);
    onReorder(order);
  };
  return (
    <section aria-label="Waiting prompts" className="rounded-xl border border-line bg-raised">
      <ol className="max-h-40 divide-y divide-line overflow-y-auto">
        {prompts.map(({ turn_id: id, text, images }, at) => (
          <li key={id} className="flex items-center gap-1 py-1 pr-1 pl-3 text-sm">
            <Clock size={14} className="mr-1.5 shrink-0 text-faint" aria-hidden />
            <span className="min-w-0 flex-1 truncate">
              {text}
              {images > 0 && <span className="text-faint"> + {images} images</span>}
            </span>
            <IconButton
              label="Earlier"
              className="size-8"
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            >
              <ArrowUp size={15} aria-hidden />
            </IconButton>
            <IconButton
              label="Later"
              className="size-8"
              disabled={at === prompts.length - 1}
              onClick={() => move(at, at + 1)}
            >
              <ArrowDown size={15} aria-hidden />
            </IconButton>
            <IconButton label="Take back" className="size-8" onClick={() => onRemove(id)}>
              <X size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
    </section>
  );
}
