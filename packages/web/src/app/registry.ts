// What the parts of the page that are shown offer at the moment, such as commands.
import { type Observable, Value } from '@parley/client';

export interface Registry<Item> extends Observable<readonly Item[]> {
  /** Returns how to remove them again. */
  readonly add: (items: readonly Item[]) => () => void;
}

export function createRegistry<Item>(): Registry<Item> {
  const sources = new Set<readonly Item[]>();
  const all = new Value<readonly Item[]>([]);
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
