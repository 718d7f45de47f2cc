// Says that what is shown may be old.
import { WifiOff } from 'lucide-react';

export function ConnectionLost() {
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-sunken px-4 py-1.5 text-soft text-xs"
    >
      <WifiOff size={14} aria-hidden />
      Connection lost. Reconnecting …
    </p>
  );
}
