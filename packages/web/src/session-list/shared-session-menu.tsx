// The menu of a session that somebody else shared: export it, or mute its notifications.
import { Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { MuteItem } from '../push/mute-item.tsx';
import { MenuItem, MoreMenu } from '../ui/menu.tsx';
import { preloadable } from '../ui/preloadable.tsx';

export const exportDialog = preloadable(
  async () => (await import('../export/export-dialog.tsx')).ExportDialog,
);

export function SharedSessionMenu({
  session,
  label,
  className,
}: {
  session: string;
  label: string;
  className?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <MoreMenu label={label} className={className}>
        <MenuItem onSelect={() => setOpen(true)}>
          <Download size={16} aria-hidden />
          {t('Export …')}
        </MenuItem>
        <MuteItem session={session} />
      </MoreMenu>
      {isOpen && (
        <Suspense>
          <exportDialog.Part session={session} open onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
