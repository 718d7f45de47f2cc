// Says that the connection is broken, once that has lasted long enough to matter.
import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';

const patienceMs = 700;

export function OfflineBanner({ isConnected }: { isConnected: boolean }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(!isConnected), isConnected ? 0 : patienceMs);
    return () => clearTimeout(timer);
  }, [isConnected]);
  if (!isShown) return null;
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-wash px-4 py-1.5 text-sm text-warn"
    >
      <WifiOff size={15} aria-hidden />
      Offline. This goes on by itself when the connection is back.
    </p>
  );
}
