// Shows the lines that are hidden at first.
import { t } from '../../i18n/translate.ts';
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
      {t('{count, plural, one {Show # more line} other {Show # more lines}}', { count: hidden })}
    </Button>
  );
}
