// Keeps the memory of an idle server small. Almost everything that a start allocates stays, and V8 takes that as a reason
// to enlarge the part of the heap for new objects again and again: by 11 MB, which an idle server never uses.
import { setFlagsFromString } from 'node:v8';

/** What a server does right after it is ready belongs to the start. */
const settleMs = 2_000;

export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Call it when the server is ready: from then on that part grows under load, as it does by default. */
export function letYoungHeapGrow(): void {
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=2'), settleMs).unref();
}
