// A card with the entries of a collection. At most one is edited or added at a time.
import { Plus } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EntryRow } from './entry-row.tsx';

export function EntryList<Entry extends { readonly name: string }>({
  title,
  hint,
  add,
  empty,
  entries,
  row,
  form,
  children,
}: {
  title: string;
  hint: string;
  /** The text of the button that adds one. */
  add: string;
  /** Shown if there is none. */
  empty?: string;
  entries: readonly Entry[];
  row: (entry: Entry) => Omit<ComponentProps<typeof EntryRow>, 'onEdit'> & { readonly isFixed?: boolean };
  /** Without an entry, it adds one. */
  form: (onClose: () => void, entry?: Entry) => ReactNode;
  /** Rows that nobody can change. */
  children?: ReactNode;
}) {
  /** The name of the entry that is edited; empty for a new one. */
  const [edited, setEdited] = useState<string>();
  const close = () => setEdited(undefined);
  const isIdle = edited === undefined;
  return (
    <Card
      title={title}
      hint={hint}
      action={
        isIdle && (
          <Button onClick={() => setEdited('')}>
            <Plus size={16} aria-hidden />
            {add}
          </Button>
        )
      }
    >
      {edited === '' && form(close)}
      {isIdle && entries.length === 0 && empty !== undefined && <p className="text-faint text-sm">{empty}</p>}
      <ul className="grid divide-y divide-line">
        {entries.map((entry) => {
          const { name } = entry;
          if (name === edited)
            return (
              <li key={name} className="py-4">
                {form(close, entry)}
              </li>
            );
          const { isFixed = false, removal, ...rest } = row(entry);
          return (
            <EntryRow
              key={name}
              {...rest}
              onEdit={isIdle && !isFixed ? () => setEdited(name) : undefined}
              removal={isIdle ? removal : undefined}
            />
          );
        })}
        {children}
      </ul>
    </Card>
  );
}
