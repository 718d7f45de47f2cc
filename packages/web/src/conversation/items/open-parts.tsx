// Remembers which parts of a transcript a person opened or closed. Only rows in view are drawn, so the parts
// themselves would forget it as soon as they scroll out of view.
import { createContext, type ReactNode, use, useState } from 'react';
import { BoundedMap } from '../../bounded-map.ts';

const maxParts = 1_000;

const Memory = createContext<Map<string, boolean> | undefined>(undefined);
const ItemKey = createContext<string | undefined>(undefined);

/** Remembers for everything inside it. */
export function RememberOpenParts({ children }: { children: ReactNode }) {
  const [parts] = useState(() => new BoundedMap<string, boolean>(maxParts));
  return <Memory value={parts}>{children}</Memory>;
}

/** The parts inside belong to this item. */
export function PartsOf({ item, children }: { item: string; children: ReactNode }) {
  return <ItemKey value={item}>{children}</ItemKey>;
}

/** Whether a part is open; `atFirst` applies until the person chooses. Parts outside of an item are not remembered. */
export function useOpenPart(name: string, atFirst = false): readonly [boolean, (isOpen: boolean) => void] {
  const memory = use(Memory);
  const item = use(ItemKey);
  const part = item === undefined ? undefined : `${item} ${name}`;
  const [chosen, setChosen] = useState(() => (part === undefined ? undefined : memory?.get(part)));
  const choose = (isOpen: boolean) => {
    setChosen(isOpen);
    if (part !== undefined) memory?.set(part, isOpen);
  };
  return [chosen ?? atFirst, choose];
}
