// What surrounds the client: the network, the page, and when to paint. Node has none of it.
import { type Observable, ObservableValue } from './observable.ts';

export interface PageState {
  readonly online: boolean;
  /** Somebody can see the page. */
  readonly visible: boolean;
}

/** What the page around the client knows. Without it, the client assumes that it is online and visible. */
export interface Environment {
  /** Calls `changed` at once and whenever something changes. Returns a function that stops it. */
  readonly watch?: (changed: (pageState: PageState) => void) => () => void;
  /** Runs something before the next paint; returns a function that cancels it. Default: as soon as possible. */
  readonly schedule?: (run: () => void) => () => void;
}

/** As much of a browser's `window` as `pageEnvironment` needs. */
export interface PageLike {
  readonly document: EventSource & { readonly visibilityState: string };
  readonly navigator: { readonly onLine: boolean };
  readonly requestAnimationFrame: (run: () => void) => number;
  readonly cancelAnimationFrame: (id: number) => void;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Don't wait longer for a paint: browsers don't paint a page that nobody sees. */
const longestWaitMs = 250;

/** The environment of a browser's page: pass `window`. */
export function pageEnvironment(page: PageLike): Environment {
  return {
    watch: (changed) => {
      const report = () =>
        changed({ online: page.navigator.onLine, visible: page.document.visibilityState === 'visible' });
      const stops = (['online', 'offline', 'visibilitychange'] as const).map((type) => {
        const source = type === 'visibilitychange' ? page.document : page;
        source.addEventListener(type, report);
        return () => source.removeEventListener(type, report);
      });
      report();
      return () => {
        for (const stop of stops) stop();
      };
    },
    schedule: (run) => {
      const cancel = () => {
        page.cancelAnimationFrame(frame);
        clearTimeout(timer);
      };
      const runOnce = () => {
        cancel();
        run();
      };
      const frame = page.requestAnimationFrame(runOnce);
      const timer = setTimeout(runOnce, longestWaitMs);
      return cancel;
    },
  };
}

export interface WatchedEnvironment {
  /** Whether a person may be looking at it. */
  readonly isPage: boolean;
  readonly pageState: Observable<PageState>;
  readonly schedule: (run: () => void) => () => void;
  readonly close: () => void;
}

export function watchEnvironment({ watch, schedule }: Environment): WatchedEnvironment {
  const pageState = new ObservableValue<PageState>({ online: true, visible: true });
  const close = watch?.((now) => pageState.set(now)) ?? (() => undefined);
  return { isPage: watch !== undefined, pageState, schedule: schedule ?? soon, close };
}

function soon(run: () => void): () => void {
  const timer = setTimeout(run, 0);
  return () => clearTimeout(timer);
}
