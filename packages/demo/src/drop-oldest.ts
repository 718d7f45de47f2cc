// Bounds a map or set by dropping its oldest entry.

/** Deletes the oldest entry if there are more than `max`. */
export function dropOldest<Key>(
  entries: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): unknown },
  max: number,
): void {
  const [oldest] = entries.keys();
  if (entries.size > max) entries.delete(oldest as Key);
}
