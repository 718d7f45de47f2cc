// A process that admits turns under given keys while others do the same, and prints which were fresh.
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { aSession, aTurn, deltas } from '../fixtures.ts';

/** Ids of the turns that this process was the first to admit; printed as JSON. */
export type FreshTurns = readonly string[];

const [file, keyCount] = process.argv.slice(2) as [string, string];

const store = await openSqliteStore({ file });
const fresh: string[] = [];
for (let index = 0; index < Number(keyCount); index += 1) {
  const session = aSession();
  const turn = aTurn(session, { key: `key ${index}` });
  const admission = await store.admit(turn, session, { newSession: true });
  if (!admission.fresh) continue;
  await store.appendEvents(deltas(session.id, 1, 20));
  fresh.push(admission.turn.id);
}
await store.close();
process.stdout.write(JSON.stringify(fresh satisfies FreshTurns));
