// Runs statements on a connection of its own, so that long ones don't block the server. reader.ts starts it and replaces it
// when it takes too long. Plain JavaScript, because Node also starts it from the sources.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

const db = new Database(workerData.file, { timeout: workerData.busyTimeoutMs });
// The driver ignores its option `readonly`.
db.exec(workerData.setup ?? 'PRAGMA query_only = ON');
/** The texts of the statements are constants, so there are few. */
const prepared = new Map();

function statement(sql) {
  if (!prepared.has(sql)) prepared.set(sql, db.prepare(sql));
  return prepared.get(sql);
}

/** A new thread does what still waits here. */
const isReleased = () => Atomics.load(workerData.isReleased, 0) === 1;

/** All or nothing. */
function write(batch) {
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const [sql, values] of batch) statement(sql).run(values);
    if (isReleased()) throw new Error('nobody waits for it');
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
  return [];
}

parentPort.postMessage('ready', []);
parentPort.on('message', (request) => {
  if (request === 'close') {
    prepared.clear();
    db.close();
    parentPort.close();
    return;
  }
  if (isReleased()) return;
  const { id, sql, values, batch } = request;
  try {
    const rows = batch ? write(batch) : statement(sql).all(values);
    parentPort.postMessage({ id, rows }, []);
  } catch (error) {
    parentPort.postMessage({ id, failure: { message: error.message, code: error.code } }, []);
  }
});
