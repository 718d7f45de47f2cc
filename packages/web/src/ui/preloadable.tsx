// A component whose code loads when it is needed, or before. Unlike with `lazy` alone, a loaded one renders at once:
// React hides a component that suspends for a third of a second, however soon it arrives.
import { type ComponentType, lazy, useState } from 'react';

export interface Preloadable<Props> {
  /** Suspends until it is loaded. */
  readonly Part: ComponentType<Props>;
  /** Never rejects: a failure shows when it is rendered. */
  readonly preload: () => Promise<unknown>;
}

export function preloadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Preloadable<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  const Lazy: ComponentType<Props> = lazy(async () => ({ default: await loadOnce() }));
  return {
    Part: (props) => {
      // Stays the same while it is mounted: exchanging it would lose its state.
      const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
      return <Shown {...props} />;
    },
    preload: () => loadOnce().catch(() => undefined),
  };
}
