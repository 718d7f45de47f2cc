// A menu of the composer that sets how the next messages are answered, such as the model.

import { Check, ChevronDown, TriangleAlert } from 'lucide-react';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx';

export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly about?: string;
  /** Shown in a warning color. */
  readonly isRisky?: true;
}

export function ChoiceMenu({
  label,
  shown,
  choices,
  chosen,
  onChoose,
}: {
  label: string;
  /** What is chosen, in a few words. */
  shown: string;
  choices: readonly Choice[];
  chosen: string | undefined;
  onChoose: (value: string) => void;
}) {
  const isRisky = choices.some((choice) => choice.isRisky && choice.value === chosen);
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t('{label}: {shown}', { label, shown })}
          className={classes(
            'flex h-9 min-w-0 items-center gap-1 rounded-lg px-2 text-xs pointer-coarse:h-10',
            isRisky ? 'bg-warn-wash font-medium text-warn' : 'text-faint hover:bg-sunken hover:text-ink',
          )}
        >
          {isRisky && <TriangleAlert size={13} className="shrink-0" aria-hidden />}
          <span className="truncate">{shown}</span>
          <ChevronDown size={13} className="shrink-0" aria-hidden />
        </button>
      }
    >
      <MenuLabel>{label}</MenuLabel>
      {choices.map(({ value, name, about, isRisky: warns }) => (
        <MenuItem key={value} onSelect={() => onChoose(value)}>
          <Check
            size={15}
            className={value === chosen ? 'shrink-0 text-accent' : 'invisible shrink-0'}
            aria-hidden
          />
          <span className={warns && 'text-warn'}>
            {name}
            {about !== undefined && <span className="block max-w-64 text-faint text-xs">{about}</span>}
          </span>
          {value === chosen && <span className="sr-only">{t('(selected)')}</span>}
        </MenuItem>
      ))}
    </Menu>
  );
}
