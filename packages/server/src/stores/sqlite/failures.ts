// Turns SQLite errors into errors that say what happened and what to do.
import { ParleyError } from '@parley/protocol';
import Database from 'libsql';

/** Turns any error of the driver into a ParleyError. A ParleyError passes unchanged. */
export function toParleyError(thrown: unknown, file: string): ParleyError {
  if (thrown instanceof ParleyError) return thrown;
  if (!(thrown instanceof Database.SqliteError)) return ParleyError.from(thrown);
  const [code, message] = explain(thrown.code, file);
  return new ParleyError(code, message, { cause: thrown });
}

/** For a database that could not be opened. */
export function cannotOpen(thrown: unknown, file: string): ParleyError {
  if (thrown instanceof ParleyError) return thrown;
  if (thrown instanceof Database.SqliteError) return toParleyError(thrown, file);
  const message = `The database ${file} cannot be opened. Check that its folder exists and that Parley may write there.`;
  return new ParleyError('unavailable', message, { cause: thrown });
}

export function closed(): ParleyError {
  return new ParleyError('unavailable', 'The database is closed because Parley is stopping.');
}

function explain(code: string, file: string): [ParleyError['code'], string] {
  if (code.startsWith('SQLITE_CONSTRAINT_FOREIGNKEY')) {
    return ['not_found', 'The session or turn that this belongs to does not exist.'];
  }
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    return ['conflict', 'An entry with the same id or number already exists.'];
  }
  return ['unavailable', `${unavailability(code, file)} Nothing was written.`];
}

function unavailability(code: string, file: string): string {
  if (code.startsWith('SQLITE_FULL')) {
    return `The disk of the database ${file} is full. Free some space, then try again.`;
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_PERM')) {
    return `The database ${file} is read-only. Give Parley write access to the file and its folder.`;
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return `The database ${file} is in use by another process. Try again, or stop the other process.`;
  }
  if (code.startsWith('SQLITE_NOTADB')) {
    return `The file ${file} is not a Parley database. Move it away or configure another path.`;
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return `The database ${file} is damaged. Restore it from a backup, or move it away to start with an empty one.`;
  }
  return `The database ${file} cannot be used (${code}). Check the disk and the permissions of its folder.`;
}
