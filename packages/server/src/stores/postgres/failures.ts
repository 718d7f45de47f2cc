// Turns errors of PostgreSQL and of the connection to it into errors that say what happened and what to do.
import { ParleyError } from '@parley/protocol';

/** Where the database is, without the password. */
export interface DatabasePlace {
  readonly server: string;
  readonly database: string;
  readonly user: string;
}

export function placeOf(url: string): DatabasePlace {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  return {
    server: `${searchParams.get('host') ?? hostname}:${port || '5432'}`,
    database: decodeURIComponent(pathname.slice(1)) || username,
    user: decodeURIComponent(username),
  };
}

/** Another attempt may succeed: two transactions got in each other's way, or another server changed the tables. */
export function isWorthRepeating(thrown: unknown): boolean {
  // A transaction that has ended since may have taken a unique value; the next attempt then finds it.
  return ['40001', '40P01', '23505', '0A000'].includes(codeOf(thrown));
}

/** The connection is gone, or the server is just starting or stopping. */
export function isLost(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (/^(57P0[1235]|08...|E(AI_)?[A-Z]+)$/.test(code)) return true;
  return (
    thrown instanceof Error &&
    code === '' &&
    /connection|not queryable|terminated|timeout/i.test(thrown.message)
  );
}

/** Turns any error of the driver into a ParleyError. A ParleyError passes unchanged. */
export function toParleyError(thrown: unknown, place: DatabasePlace): ParleyError {
  if (thrown instanceof ParleyError) return thrown;
  const code = codeOf(thrown);
  if (code === '23503') {
    const message = 'The session or turn that this belongs to does not exist.';
    return new ParleyError('not_found', message, { cause: thrown });
  }
  if (code.startsWith('23')) {
    const message = 'An entry with the same id or number already exists.';
    return new ParleyError('conflict', message, { cause: thrown });
  }
  if (code === '' && !isLost(thrown)) return ParleyError.from(thrown);
  return new ParleyError('unavailable', `${unavailability(code, place)} Nothing was written.`, {
    cause: thrown,
  });
}

export function closed(): ParleyError {
  return new ParleyError('unavailable', 'The database is closed because Parley is stopping.');
}

export function tooManyWrites(): ParleyError {
  return new ParleyError('busy', 'Too much is waiting to be saved. Try again in a moment.');
}

export function unsureWhetherSaved({ server }: DatabasePlace): ParleyError {
  return new ParleyError(
    'unavailable',
    `The connection to the database at ${server} was lost while something was being saved. Check whether it was saved, then try again.`,
  );
}

function unavailability(code: string, { server, database, user }: DatabasePlace): string {
  switch (code) {
    case '28P01':
    case '28000':
      return `PostgreSQL at ${server} refuses the user “${user}”. Check the name and the password in database.url.`;
    case '3D000':
      return `PostgreSQL at ${server} has no database “${database}”. Create it, for example with: createdb ${database}`;
    case '25006':
      return `The database “${database}” at ${server} is read-only, maybe because it is a replica. Set database.url to one that accepts writes.`;
    case '42501':
      return `The user “${user}” may not write to the database “${database}” at ${server}. Make it the owner of the database.`;
    case '53100':
      return `The disk of PostgreSQL at ${server} is full. Free some space, then try again.`;
    case '53300':
      return `PostgreSQL at ${server} has too many connections. Raise its max_connections, or run fewer servers.`;
    case '57014':
      return 'This took too long to look up. Try again, or ask for less.';
    case '40001':
    case '40P01':
    case '55P03':
      return `The database at ${server} is busy with other changes of the same data. Try again.`;
    default:
      return isConnectionCode(code)
        ? `The database at ${server} does not answer${code && ` (${code})`}. Check that PostgreSQL is running and that database.url is right.`
        : `The database “${database}” at ${server} cannot be used (${code}). Check the log of PostgreSQL.`;
  }
}

function isConnectionCode(code: string): boolean {
  return code === '' || /^(57P0.|08...|E[A-Z_]+)$/.test(code);
}

/** A code of PostgreSQL or of the operating system. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return codeOf(thrown.errors[0]);
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}
