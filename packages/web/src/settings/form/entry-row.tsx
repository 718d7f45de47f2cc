// One entry of a collection in a list: what it is, where it comes from, and buttons to change or remove it.
import type { SettingEntry } from '@parley/protocol';
import { type ReactNode, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { placeText } from './view.ts';

export function EntryRow({
  title,
  state,
  entry,
  note,
  edit,
  onEdit,
  removal,
  children,
}: {
  title: string;
  state?: ReactNode;
  /** Undefined if it is built in. */
  entry?: Pick<SettingEntry, 'origin' | 'editable'> | undefined;
  /** Shown instead of where it comes from. */
  note?: string | undefined;
  /** The button's text. */
  edit?: string;
  onEdit?: (() => void) | undefined;
  removal?: { readonly warning: string; readonly run: () => Promise<void> } | undefined;
  children?: ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  const place = note ?? (entry && placeText(entry.origin));
  const isFixed = entry?.editable === false;
  return (
    <li className="grid gap-2 py-4 text-sm first:pt-0 last:pb-0">
      <div className="flex items-center justify-between gap-3">
        <h3 className="min-w-0 break-words font-medium">{title}</h3>
        {state}
      </div>
      <div className="min-w-0">{children}</div>
      {place !== undefined && <p className="break-words text-soft text-xs">{place}</p>}
      {!isFixed && (onEdit !== undefined || removal !== undefined) && (
        <div className="flex flex-wrap gap-2">
          {onEdit && (
            <Button onClick={onEdit} aria-label={`${edit ?? t('Edit')}: ${title}`}>
              {edit ?? t('Edit')}
            </Button>
          )}
          {removal && (
            <Button
              look="quiet"
              onClick={() => setAsking(true)}
              aria-label={t('Remove {name}', { name: title })}
            >
              {t('Remove')}
            </Button>
          )}
        </div>
      )}
      {removal && (
        <ConfirmDialog
          open={isAsking}
          onClose={() => setAsking(false)}
          title={t('Remove {name}?', { name: title })}
          warning={removal.warning}
          action={t('Remove')}
          run={removal.run}
        />
      )}
    </li>
  );
}
