// What a person is called. A plain name such as `mia` starts with a capital letter; a name they chose stays as it is.
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
