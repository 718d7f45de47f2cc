// Finds text in the whole conversation, including what isn't loaded yet.
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import type { Find } from './use-find.ts';

export function FindBar({ find, onClose }: { find: Find; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const isEmpty = find.text.trim() === '';
  return (
    <search
      aria-label={t('Find in this conversation')}
      className="flex shrink-0 items-center gap-1 border-line border-b bg-raised px-3 py-1.5 print:hidden"
    >
      <Search size={15} className="mx-1 shrink-0 text-faint" aria-hidden />
      <input
        ref={field}
        autoFocus
        type="text"
        enterKeyHint="search"
        aria-label={t('Find')}
        placeholder={t('Find in this conversation')}
        value={find.text}
        maxLength={500}
        onChange={({ target }) => find.setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find.go(event.shiftKey ? 1 : -1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
        }}
        className="h-9 min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-faint pointer-coarse:text-base"
      />
      <p role="status" className="shrink-0 px-1 text-faint text-xs tabular-nums">
        {!isEmpty && statusOf(find)}
      </p>
      <IconButton label={t('Previous match')} disabled={find.count === 0} onClick={() => find.go(-1)}>
        <ChevronUp size={17} aria-hidden />
      </IconButton>
      <IconButton label={t('Next match')} disabled={find.count === 0} onClick={() => find.go(1)}>
        <ChevronDown size={17} aria-hidden />
      </IconButton>
      <IconButton label={t('Close')} onClick={onClose}>
        <X size={17} aria-hidden />
      </IconButton>
    </search>
  );
}

function statusOf({ count, place, truncated, isSearching }: Find): string {
  if (isSearching) return '…';
  if (count === 0) return t('No results');
  const all = truncated ? `${count}+` : String(count);
  return t('{place} of {count}', { place: String(place), count: all });
}
