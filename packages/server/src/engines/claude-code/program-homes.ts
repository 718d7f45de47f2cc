// Gives each person a home of the `claude` program. On first use, sessions move into it that the person started when
// everybody shared one home.
import { join } from 'node:path';
import type { PersonName } from '@parley/protocol';
import { type ProgramHome, separateHome, type Upstream, userHome, type Variables } from './program-home.ts';

export interface ProgramHomes {
  /** The variables of the host; the driver passes on only those on its list. */
  readonly host: Variables;
  /** Absent if the program uses its own login. */
  readonly upstream: Upstream | undefined;
  /** Their home contains the sessions that were started outside of Parley. */
  readonly owner: PersonName;
  /** All calls get the same home. After a failure, the next call tries again. */
  of(person: PersonName): Promise<ProgramHome>;
}

export interface ProgramHomesOptions {
  readonly owner: PersonName;
  /** The folder of a person's home. Not used for the owner. */
  readonly folderOf: (person: PersonName) => string;
  /** The API of the server. Without a key, everybody needs a login of their own. */
  readonly upstream: { readonly apiKey?: string | undefined; readonly baseUrl: string };
  /** Lets everybody use the login of the user who runs Parley. */
  readonly shareLogin?: boolean;
  /** Called once before a home is used. */
  readonly prepare?: (person: PersonName, home: ProgramHome, ownersHome: ProgramHome) => Promise<void>;
}

/** The owner uses the home of the user who runs Parley. */
export function createProgramHomes(host: Variables, options: ProgramHomesOptions): ProgramHomes {
  const { apiKey, baseUrl } = options.upstream;
  return homes(host, options, {
    owners: () => userHome(host, options.upstream),
    separate: {
      ...foreignVariables(host, options.shareLogin === true),
      ...(apiKey === undefined && { ANTHROPIC_BASE_URL: baseUrl }),
    },
  });
}

/** For demo mode: no home belongs to the user, and a stand-in replaces the Anthropic API. */
export function createStandInHomes(
  host: Variables,
  options: ProgramHomesOptions & { readonly ownersFolder: string },
): ProgramHomes {
  const neutralHost = Object.fromEntries(neutral.map((name) => [name, host[name]]));
  // As root, the program skips permissions only if it believes that it is in a sandbox.
  const isRoot = process.getuid?.() === 0;
  const variables = {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // By default, the newest models keep no todo list, and people who try Parley want to see one.
    CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
    ...(isRoot && { IS_SANDBOX: '1' }),
  };
  return homes(neutralHost, options, {
    owners: () => separateHome(options.ownersFolder, variables),
    separate: variables,
  });
}

function homes(
  host: Variables,
  { owner, folderOf, upstream: { apiKey, baseUrl }, shareLogin = false, prepare }: ProgramHomesOptions,
  { owners, separate }: { readonly owners: () => Promise<ProgramHome>; readonly separate: Variables },
): ProgramHomes {
  const known = new Map<PersonName, Promise<ProgramHome>>();

  async function make(person: PersonName): Promise<ProgramHome> {
    const ownersHome = await owners();
    const home =
      person === owner
        ? ownersHome
        : await separateHome(folderOf(person), separate, shareLogin ? ownersHome.login : undefined);
    await prepare?.(person, home, ownersHome);
    return home;
  }

  return {
    host,
    upstream: apiKey === undefined ? undefined : { apiKey, baseUrl },
    owner,
    of(person) {
      const made = known.get(person) ?? make(person);
      known.set(person, made);
      made.catch(() => known.delete(person));
      return made;
    },
  };
}

/** Variables of the host that a program in its own home still needs; none of them names an account. */
const neutral = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SHELL', 'USER', 'LOGNAME', 'TMPDIR', 'TERM'];

/** Unsets the host's variables that lead to the folders and the login of the user who runs Parley. */
function foreignVariables(host: Variables, withLogin: boolean): Variables {
  const foreign = withLogin ? /^XDG_/ : /^(XDG|ANTHROPIC)_/;
  const names = Object.keys(host).filter((name) => foreign.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** The folder of a person's home. */
export function homeFolder(dataDir: string, person: PersonName): string {
  return join(dataDir, 'people', person, 'claude');
}
