// Runs long reads on a connection of its own, so that they don't block the server. reader.ts starts it and replaces it when
// it takes too long. Plain JavaScript, because Node also starts it from the sources.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

const db = new Database(workerData.file, { timeout: workerData.busyTimeoutMs });
// The driver ignores its option `readonly`.
db.exec('PRAGMA query_only = ON');
/** The texts of the statements are constants, so there are few. */
const prepared = new Map();

parentPort.postMessage('ready', []);
parentPort.on('message', (request) => {
  if (request === 'close') {
    prepared.clear();
    db.close();
    parentPort.close();
    return;
  }
  const { id, sql, values } = request;
  try {
    if (!prepared.has(sql)) prepared.set(sql, db.prepare(sql));
    parentPort.postMessage({ id, rows: prepared.get(sql).all(values) }, []);
  } catch (error) {
    parentPort.postMessage({ id, failure: { message: error.message, code: error.code } }, []);
  }
});
