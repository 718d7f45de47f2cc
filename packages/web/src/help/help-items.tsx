// The entries of the help menu. On phones they are in the person's menu.
import { BookOpenText, Bug, CircleHelp, Keyboard, Signpost } from 'lucide-react';
import { address } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { openHelp } from './help.ts';

export function HelpMenu() {
  return (
    <Menu
      trigger={
        <IconButton label={t('Help')} className="max-sm:hidden" data-tour="help">
          <CircleHelp size={17} aria-hidden />
        </IconButton>
      }
    >
      <HelpItems />
    </Menu>
  );
}

export function HelpItems({ className = '' }: { className?: string }) {
  return helpEntries().map(({ name, icon: Icon, run }) => (
    <MenuItem key={name} className={className} onSelect={run}>
      <Icon size={16} aria-hidden />
      {name}
    </MenuItem>
  ));
}

/** For the palette as well. */
export function helpEntries() {
  return [
    {
      name: t('Read the help'),
      icon: BookOpenText,
      run: () => void open(address('/help'), '_blank', 'noopener'),
    },
    { name: t('Take the tour'), icon: Signpost, run: () => openHelp('tour') },
    { name: t('Keyboard shortcuts'), icon: Keyboard, run: () => openHelp('keys') },
    { name: t('Report a problem'), icon: Bug, run: () => openHelp('report') },
  ];
}
