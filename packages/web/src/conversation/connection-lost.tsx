// Says that the connection is lost, unless it comes back right away.

import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../i18n/translate.ts';

const patienceMs = 700;

export function ConnectionLost({ isLost }: { isLost: boolean }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(isLost), isLost ? patienceMs : 0);
    return () => clearTimeout(timer);
  }, [isLost]);
  if (!isShown) return null;
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-wash px-4 py-1.5 text-sm text-warn"
    >
      <WifiOff size={15} aria-hidden />
      {t('Connection lost. Reconnecting …')}
    </p>
  );
}
