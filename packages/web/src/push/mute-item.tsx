// Turns notifications about one session off and on, in its menu.
import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff } from 'lucide-react';
import { errorText } from '../i18n/error-text.ts';
import { t } from '../i18n/translate.ts';
import { MenuItem } from '../ui/menu.tsx';
import { showNotice } from '../ui/notice.tsx';
import { pushQuery, useMute } from './push-query.ts';

export function MuteItem({ session }: { session: string }) {
  const { data } = useQuery(pushQuery);
  const mute = useMute(session);
  const isMuted = data?.settings.muted.includes(session) ?? false;
  return (
    <MenuItem onSelect={() => mute.mutate(!isMuted, { onError: (error) => showNotice(errorText(error)) })}>
      {isMuted ? <Bell size={16} aria-hidden /> : <BellOff size={16} aria-hidden />}
      {isMuted ? t('Unmute notifications') : t('Mute notifications')}
    </MenuItem>
  );
}
