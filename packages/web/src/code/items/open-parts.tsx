// Which parts of a transcript a person opened or closed. Only what one can see is drawn, so that the parts themselves
// would forget it as soon as they are scrolled away.
import { createContext, type ReactNode, use, useState } from 'react';

/** The ones chosen longest ago are forgotten. */
const mostParts = 1_000;

class OpenParts {
  readonly #chosen = new Map<string, boolean>();

  get(part: string): boolean | undefined {
    return this.#chosen.get(part);
  }

  set(part: string, isOpen: boolean): void {
    this.#chosen.delete(part);
    this.#chosen.set(part, isOpen);
    const [oldest] = this.#chosen.keys();
    if (this.#chosen.size > mostParts && oldest !== undefined) this.#chosen.delete(oldest);
  }
}

const Memory = createContext<OpenParts | undefined>(undefined);
const ItemKey = createContext<string | undefined>(undefined);

/** Remembers for everything in it. */
export function RememberOpenParts({ children }: { children: ReactNode }) {
  const [parts] = useState(() => new OpenParts());
  return <Memory value={parts}>{children}</Memory>;
}

/** The parts in it are those of this item. */
export function PartsOf({ item, children }: { item: { readonly key: string }; children: ReactNode }) {
  return <ItemKey value={item.key}>{children}</ItemKey>;
}

/** Whether a part is open; `atFirst` counts until the person chooses. What belongs to no item is not remembered. */
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
