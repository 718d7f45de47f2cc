// Turns callbacks into `for await`. If a reader falls far behind, the source stops and later resumes after the last
// item that the reader took, so that the buffer stays bounded.

const maxWaiting = 5_000;

/**
 * `follow` calls `onItem` until its signal aborts; it is called again, with the last item, once the reader has caught
 * up. Ends when the outer signal aborts. If `follow` rejects, throws the error after all items that came before it.
 */
export async function* iterate<T>(
  follow: (onItem: (item: T) => void, signal: AbortSignal, last: T | undefined) => Promise<void>,
  outer: AbortSignal | undefined,
): AsyncGenerator<T, void, void> {
  let last: T | undefined;
  while (!outer?.aborted) {
    let items: T[] = [];
    const inner = new AbortController();
    let wake = () => {};
    let end: { readonly error?: unknown } | undefined;
    const signal = outer ? AbortSignal.any([outer, inner.signal]) : inner.signal;
    const onItem = (item: T) => {
      items.push(item);
      if (items.length >= maxWaiting) inner.abort();
      wake();
    };
    follow(onItem, signal, last).then(
      () => {
        end = {};
        wake();
      },
      (error: unknown) => {
        end = { error };
        wake();
      },
    );
    try {
      for (;;) {
        const ready = items;
        items = [];
        for (const item of ready) {
          if (outer?.aborted) return;
          last = item;
          yield item;
        }
        if (items.length > 0) continue;
        if (end) {
          if ('error' in end) throw end.error;
          if (!inner.signal.aborted) return;
          break;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      inner.abort();
    }
  }
}
