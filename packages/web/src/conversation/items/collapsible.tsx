// A line that opens to show more. The transcript remembers what is open.
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import { useOpenPart } from './open-parts.tsx';

export function Collapsible({
  part,
  isOpenAtFirst = false,
  line,
  className,
  children,
}: {
  /** A name that is unique within the item. */
  part: string;
  /** Applies until the person opens or closes it. */
  isOpenAtFirst?: boolean;
  /** Inside, `group-aria-expanded/line:` applies while it is open. */
  line: ReactNode;
  className: string;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useOpenPart(part, isOpenAtFirst);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={classes('group/line items-center text-left', className)}
      >
        {line}
        <ChevronRight
          size={14}
          aria-hidden
          className="ml-auto shrink-0 text-faint transition-transform group-aria-expanded/line:rotate-90"
        />
      </button>
      {isOpen && children}
    </>
  );
}
