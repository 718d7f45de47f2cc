// The home of the `claude` program: where its configuration, login and transcripts are, and the variables that point
// there. The owner uses the home of the user who runs Parley; everybody else has a separate home in Parley's folder.
import { constants } from 'node:fs';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../../basics/atomic-file.ts';
import { realPathOf } from '../../basics/real-path.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The API that the program uses if the server has a key for it. */
export interface Upstream {
  readonly apiKey: string;
  readonly baseUrl: string;
}

export interface ProgramHome {
  /** The folder of its configuration, usually `.claude`. */
  readonly config: string;
  /** Where the program keeps its login on most systems. */
  readonly login: string;
  /** Where the program keeps its transcripts. */
  readonly projects: string;
  /** Variables for the program, in addition to those of the host. */
  readonly variables: Variables;
  /** What a sandbox has to let the program use. */
  readonly reach: HomeReach;
  /** Creates the files that a sandbox can share with the program only if they exist. */
  prepareConfined(): Promise<void>;
  /** Answers the first-run questions, so that the program's screen opens at once; does nothing in a user's home. */
  prepareScreen(workingDir: string): Promise<void>;
}

const loginFile = '.credentials.json';

export interface HomeReach {
  /** The program sees empty folders in their place, which disappear when it ends. */
  readonly scratch: readonly string[];
  readonly write: readonly string[];
  readonly read: readonly string[];
}

/** The home of the user who runs Parley, with that user's login, but without the API key, which only the relay has. */
export async function userHome(
  host: Variables,
  { apiKey, baseUrl }: { readonly apiKey?: string | undefined; readonly baseUrl: string },
): Promise<ProgramHome> {
  const home = host['HOME'] ?? homedir();
  const config = await realPathOf(host['CLAUDE_CONFIG_DIR'] ?? join(await realPathOf(home), '.claude'));
  const settings = join(home, '.claude.json');
  const userFiles = ['.gitconfig', join('.config', 'git')].map((name) => join(home, name));
  return {
    config,
    login: join(config, loginFile),
    projects: join(config, 'projects'),
    variables: apiKey === undefined ? { ANTHROPIC_BASE_URL: baseUrl } : withoutKey(host, apiKey),
    reach: { scratch: [home], write: [config, settings], read: userFiles },
    async prepareConfined() {
      await mkdir(config, { recursive: true, mode: 0o700 });
      await writeFile(settings, '{}', { flag: 'wx', mode: 0o600 }).catch(unlessThere);
    },
    prepareScreen: () => Promise.resolve(),
  };
}

/** A separate home in this folder, which is created if it is missing. It can share the login of another home. */
export async function separateHome(
  folder: string,
  variables: Variables,
  sharedLogin?: string,
): Promise<ProgramHome> {
  await mkdir(join(folder, '.claude'), { recursive: true, mode: 0o700 });
  const home = await realPathOf(folder);
  const config = join(home, '.claude');
  const login = join(config, loginFile);
  if (sharedLogin !== undefined) await symlink(sharedLogin, login).catch(unlessThere);
  return {
    config,
    login,
    projects: join(config, 'projects'),
    variables: { ...variables, HOME: home, CLAUDE_CONFIG_DIR: undefined },
    reach: { scratch: [], write: [home, ...(sharedLogin === undefined ? [] : [sharedLogin])], read: [] },
    prepareConfined: () => Promise.resolve(),
    prepareScreen: (workingDir) => answerFirstQuestions(home, workingDir),
  };
}

/** Unsets every variable of the program that contains the key, for example in additional headers. */
function withoutKey(host: Variables, apiKey: string): Variables {
  const names = Object.keys(host).filter(
    (name) => name.startsWith('ANTHROPIC_') && host[name]?.includes(apiKey),
  );
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/** On its first screen, the program asks about theme and trust, and stores the answers in this file. */
async function answerFirstQuestions(home: string, workingDir: string): Promise<void> {
  const file = join(home, '.claude.json');
  const known = JSON.parse(await readOwnFile(file)) as Record<string, unknown>;
  const projects = (known['projects'] ?? {}) as Record<string, Record<string, unknown>>;
  const answers = {
    ...known,
    hasCompletedOnboarding: true,
    theme: known['theme'] ?? 'dark',
    projects: {
      ...projects,
      [workingDir]: {
        ...projects[workingDir],
        hasTrustDialogAccepted: true,
        hasCompletedProjectOnboarding: true,
      },
    },
  };
  await replaceFile(file, JSON.stringify(answers));
}

/** The person's programs can write to this folder, and a link there could lead to files that only Parley may read. */
async function readOwnFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  try {
    return handle && (await handle.stat()).isFile() ? await handle.readFile('utf8') : '{}';
  } finally {
    await handle?.close();
  }
}
