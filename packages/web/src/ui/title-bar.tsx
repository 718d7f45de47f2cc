// The top of a dialog or drawer: its title and a close button.
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { t } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';

export function TitleBar({ title }: { title: string }) {
  return (
    <div className="flex min-h-14 shrink-0 items-center justify-between gap-4 border-line border-b py-2 pr-3 pl-5">
      <Radix.Title className="min-w-0 break-words font-semibold text-base">{title}</Radix.Title>
      <Radix.Close asChild>
        <IconButton label={t('Close')}>
          <X size={18} aria-hidden />
        </IconButton>
      </Radix.Close>
    </div>
  );
}
