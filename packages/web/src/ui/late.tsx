// A part that is loaded when it is needed, or before. One that is there already is drawn at once: React keeps what it
// had to wait for hidden for a third of a second, however soon it came.
import { type ComponentType, lazy, useState } from 'react';

export interface LatePart<Props> {
  /** Suspends until it is loaded. */
  readonly Part: ComponentType<Props>;
  /** So that it is there when it is needed. */
  readonly preload: () => void;
}

export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): LatePart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const keep = async () => {
    loaded ??= await load();
    return loaded;
  };
  const Waiting: ComponentType<Props> = lazy(async () => ({ default: await keep() }));
  return {
    Part: (props) => {
      // Not exchanged while it is shown: what is in it would begin anew.
      const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
      return <Shown {...props} />;
    },
    preload: () => void keep().catch(() => undefined),
  };
}
