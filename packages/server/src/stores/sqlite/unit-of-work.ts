// Collects the writes of one unit, which the store then runs in one transaction.
import { ParleyError } from '@parley/protocol';
import type { CollectWrites, UnitOfWork } from '../../domain/store.ts';
import type { Connection } from './connection.ts';
import { insertEvents } from './events.ts';
import { insertMessages } from './messages.ts';
import { changeSession } from './sessions.ts';
import { changeTurn } from './turns.ts';

/** Throws when `collect` returns a promise: writes that come later would miss the transaction. */
export function collectWrites(connection: Connection, collect: CollectWrites): readonly (() => void)[] {
  const writes: (() => void)[] = [];
  let isOpen = true;
  const add = (write: () => void) => {
    if (!isOpen) throw outsideOfUnit();
    writes.push(write);
  };
  const unit: UnitOfWork = {
    updateSession: (id, change) => add(() => changeSession(connection, id, change)),
    updateTurn: (id, change) => add(() => changeTurn(connection, id, change)),
    appendMessages: (sessionId, turnId, messages) =>
      add(() => insertMessages(connection, sessionId, turnId, messages)),
    appendEvents: (events) => add(() => insertEvents(connection, events)),
  };
  try {
    const result: unknown = collect(unit);
    if (result !== undefined) throw outsideOfUnit();
    return writes;
  } finally {
    isOpen = false;
  }
}

function outsideOfUnit(): ParleyError {
  return new ParleyError('internal', 'A unit of work must add all of its writes before it returns.');
}
