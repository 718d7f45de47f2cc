// Looks for words on the screen of the terminal.
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../ui/button.tsx';

export function SearchBar({
  onFind,
  onClose,
}: {
  onFind: (words: string, isBackwards: boolean) => boolean;
  onClose: () => void;
}) {
  const [words, setWords] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (isBackwards: boolean) => setFound(words === '' || onFind(words, isBackwards));
  return (
    <search className="absolute top-2 right-4 z-10 flex items-center gap-1 rounded-xl border border-line bg-raised p-1 pl-3 shadow-lg">
      <input
        autoFocus
        aria-label="Search the screen"
        placeholder="Search"
        value={words}
        onChange={({ target }) => {
          setWords(target.value);
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
        {isFound ? '' : 'Not found'}
      </span>
      <IconButton label="Before" className="size-8" onClick={() => find(true)}>
        <ArrowUp size={15} aria-hidden />
      </IconButton>
      <IconButton label="After" className="size-8" onClick={() => find(false)}>
        <ArrowDown size={15} aria-hidden />
      </IconButton>
      <IconButton label="Close the search" className="size-8" onClick={onClose}>
        <X size={15} aria-hidden />
      </IconButton>
    </search>
  );
}
