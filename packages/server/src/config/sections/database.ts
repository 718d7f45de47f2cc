// Where everything is stored, if not in a file of Parley's home.
import { z } from 'zod';
import { section, setting } from '../setting.ts';
import { secretText } from './values.ts';

export const database = {
  database: section({
    url: setting(
      z
        .string()
        .refine(isPostgresUrl, 'expected a PostgreSQL address with a host and a database')
        .pipe(secretText())
        .optional(),
      {
        env: 'PARLEY_DATABASE_URL',
        secret: true,
        meaning:
          'A PostgreSQL database for everything that Parley stores, which several servers can share: `postgres://user:password@host:5432/database`. Without it, Parley uses an SQLite file in `home`.',
        hint: 'Use an address such as postgres://parley:password@localhost:5432/parley, with special characters of the password written as %XX.',
      },
    ),
  }),
};

export function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, searchParams } = new URL(text);
  const hasHost = hostname !== '' || searchParams.has('host');
  return /^postgres(ql)?:$/.test(protocol) && hasHost && pathname.length > 1;
}
