// The one client of the page: every request and the live connection go through it.
import { createClient } from '@parley/client';

export const client = createClient({
  // The app may live below a sub-path.
  baseUrl: document.baseURI,
  // The server then shows its login form, which leads back to this page.
  onUnauthorized: () => location.reload(),
  environment: {
    watch(changed) {
      const look = () =>
        changed({ online: navigator.onLine, visible: document.visibilityState === 'visible' });
      look();
      window.addEventListener('online', look);
      window.addEventListener('offline', look);
      document.addEventListener('visibilitychange', look);
      return () => {
        window.removeEventListener('online', look);
        window.removeEventListener('offline', look);
        document.removeEventListener('visibilitychange', look);
      };
    },
    schedule: beforeDrawing,
  },
});

export const { address, request, get, send } = client;

/** Browsers do not draw hidden pages, which still have to keep up. */
const hiddenMs = 250;

function beforeDrawing(run: () => void): () => void {
  const once = () => {
    cancel();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, hiddenMs);
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  return cancel;
}
