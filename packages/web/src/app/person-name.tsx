// Shows a person's name. A plain name such as `mia` is capitalized; a name they chose is shown as it is.
import { classes } from '../ui/classes.ts';

export function PersonName({
  person,
  displayName = person,
}: {
  person: string;
  displayName?: string | null;
}) {
  const isPlain = displayName === null || displayName === person;
  return (
    <span dir="auto" className={classes('truncate', isPlain && 'capitalize')}>
      {displayName ?? person}
    </span>
  );
}
