// Shows the lines that were left out at first.
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';

export function MoreLines({
  hidden,
  className,
  onShow,
}: {
  hidden: number;
  className: string;
  onShow: () => void;
}) {
  if (hidden <= 0) return null;
  return (
    <Button look="quiet" className={classes('min-h-7 px-2 text-xs', className)} onClick={onShow}>
      Show {hidden} more {hidden === 1 ? 'line' : 'lines'}
    </Button>
  );
}
