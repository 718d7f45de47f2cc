// Searches the terminal.
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';

export function SearchBar({
  onFind,
  onClose,
}: {
  onFind: (text: string, isBackwards: boolean) => boolean;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (isBackwards: boolean) => setFound(text === '' || onFind(text, isBackwards));
  return (
    <search className="absolute top-2 right-4 z-10 flex items-center gap-1 rounded-xl border border-line bg-raised p-1 pl-3 shadow-lg">
      <input
        autoFocus
        aria-label={t('Search the terminal')}
        placeholder={t('Search')}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setFound(target.value === '' || onFind(target.value, true));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter') find(!event.shiftKey);
          else return;
          event.preventDefault();
        }}
        className="h-8 w-40 bg-transparent text-sm outline-none placeholder:text-faint"
      />
      <span role="status" className="px-1 text-danger text-xs">
        {isFound ? '' : t('Not found')}
      </span>
      <IconButton label={t('Previous match')} className="size-8" onClick={() => find(true)}>
        <ArrowUp size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('Next match')} className="size-8" onClick={() => find(false)}>
        <ArrowDown size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('Close search')} className="size-8" onClick={onClose}>
        <X size={15} aria-hidden />
      </IconButton>
    </search>
  );
}
