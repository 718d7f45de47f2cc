// Collects the writes of one unit, which the store then runs in one transaction.
import { ParleyError } from '@parley/protocol';
import type { CollectWrites, UnitOfWork } from '../../domain/store.ts';
import type { Dialect } from './dialect.ts';
import { insertEvents } from './events.ts';
import { insertMessages } from './messages.ts';
import { changeSession } from './sessions.ts';
import { changeTurn } from './turns.ts';
import type { Work } from './work.ts';

/** Throws when `collect` returns a promise: writes that come later would miss the transaction. */
export function collectWrites(dialect: Dialect, collect: CollectWrites): () => Work<void> {
  const writes: (() => Work<unknown>)[] = [];
  let isOpen = true;
  const add = (write: () => Work<unknown>) => {
    if (!isOpen) throw outsideOfUnit();
    writes.push(write);
  };
  const unit: UnitOfWork = {
    updateSession: (id, change) => add(() => changeSession(id, change)),
    updateTurn: (id, change) => add(() => changeTurn(id, change)),
    appendMessages: (sessionId, turnId, messages) =>
      add(() => insertMessages(dialect, sessionId, turnId, messages)),
    appendEvents: (events) => add(() => insertEvents(events)),
  };
  try {
    const result: unknown = collect(unit);
    if (result !== undefined) throw outsideOfUnit();
    return function* () {
      for (const write of writes) yield* write();
    };
  } finally {
    isOpen = false;
  }
}

function outsideOfUnit(): ParleyError {
  return new ParleyError('internal', 'A unit of work must add all of its writes before it returns.');
}
