// Keeps the memory of an idle server small. Almost everything that a start allocates survives, so V8 keeps enlarging
// the young generation, the part of the heap for new objects: by 11 MB, which an idle server never uses.
import { setFlagsFromString } from 'node:v8';

/** Right after it is ready, a server still allocates things that stay. */
const settleMs = 2_000;

export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Call it when the server is ready. From then on the young generation grows under load, as it does by default. */
export function letYoungHeapGrow(): void {
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=2'), settleMs).unref();
}
