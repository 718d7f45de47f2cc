// Collects what the mounted components offer, such as commands and shortcuts.
import { type Observable, ObservableValue } from '@parley/client';

export interface Registry<Item> extends Observable<readonly Item[]> {
  /** Returns a function that removes them again. */
  readonly add: (items: readonly Item[]) => () => void;
}

export function createRegistry<Item>(): Registry<Item> {
  const sources = new Set<readonly Item[]>();
  const all = new ObservableValue<readonly Item[]>([]);
  const update = () => all.set([...sources].flat());
  return {
    snapshot: all.snapshot,
    subscribe: all.subscribe,
    add: (items) => {
      sources.add(items);
      update();
      return () => {
        sources.delete(items);
        update();
      };
    },
  };
}
