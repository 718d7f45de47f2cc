// The home of the `claude` program: where its configuration, login and transcripts are, and the variables that point
// there. The owner uses the home of the user who runs Parley; everybody else has a separate home in Parley's folder.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../../basics/atomic-file.ts';
import { isRecord } from '../../basics/is-record.ts';
import { realPathOf } from '../../basics/real-path.ts';
import { parseJson } from '../../content/parse-json.ts';

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
  /** Prepares the home for a program in a sandbox, and says what that program needs. */
  prepareConfined(sandbox: SandboxKind): Promise<ConfinedHome>;
  /** Answers the first-run questions, so that the program's screen opens at once; does nothing in a user's home. */
  prepareScreen(workingDir: string): Promise<void>;
}

export type SandboxKind = 'bubblewrap' | 'sandbox-exec';

const loginFile = '.credentials.json';
/** Where the program keeps what it notes, such as answered questions, and MCP servers that people add. */
const settingsFile = '.claude.json';

export interface ConfinedHome {
  /** Variables for the program in the sandbox, in addition to those of the home. */
  readonly variables: Readonly<Record<string, string>>;
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
  const chosen = host['CLAUDE_CONFIG_DIR'];
  const config = await realPathOf(chosen ?? join(await realPathOf(home), '.claude'));
  const settings = join(chosen ?? home, settingsFile);
  const confined = new ConfinedSettings(settings, join(config, settingsFile));
  const userFiles = ['.gitconfig', join('.config', 'git')].map((name) => join(home, name));
  return {
    config,
    login: join(config, loginFile),
    projects: join(config, 'projects'),
    variables: apiKey === undefined ? { ANTHROPIC_BASE_URL: baseUrl } : withoutKey(host, apiKey),
    async prepareConfined(sandbox) {
      await mkdir(config, { recursive: true, mode: 0o700 });
      if (sandbox === 'bubblewrap') {
        // In a mount, programs could only overwrite the file, and others would read half of it meanwhile.
        if (chosen === undefined) await confined.update();
        const variables = { CLAUDE_CONFIG_DIR: config };
        return { variables, scratch: [home], write: [config], read: userFiles };
      }
      // A path that doesn't exist gets no rule.
      await writeFile(settings, '{}', { flag: 'wx', mode: 0o600 }).catch(unlessThere);
      return { variables: {}, scratch: [home], write: [config, settings], read: userFiles };
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
    prepareConfined: async () => ({
      variables: {},
      scratch: [],
      write: [home, ...(sharedLogin === undefined ? [] : [sharedLogin])],
      read: [],
    }),
    prepareScreen: (workingDir) => answerFirstQuestions(home, workingDir),
  };
}

/** A copy of the user's settings for programs in a sandbox. What they note stays in it; what the user changes wins. */
class ConfinedSettings {
  readonly #original: string;
  readonly #copy: string;
  /** The hash of the original that the copy has. */
  #known: string | undefined;

  constructor(original: string, copy: string) {
    this.#original = original;
    this.#copy = copy;
  }

  async update(): Promise<void> {
    const original = await readFile(this.#original, 'utf8').catch(() => '');
    const hash = createHash('sha256').update(original).digest('base64');
    if (hash === this.#known) return;
    const users = recordIn(original);
    const own = recordIn(await readOwnFile(this.#copy));
    const projects = { ...recordAt(own, 'projects'), ...recordAt(users, 'projects') };
    await replaceFile(this.#copy, JSON.stringify({ ...own, ...users, projects }));
    this.#known = hash;
  }
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
  const file = join(home, settingsFile);
  const known = recordIn(await readOwnFile(file));
  const projects = recordAt(known, 'projects');
  const answers = {
    ...known,
    hasCompletedOnboarding: true,
    theme: known['theme'] ?? 'dark',
    projects: {
      ...projects,
      [workingDir]: {
        ...recordAt(projects, workingDir),
        hasTrustDialogAccepted: true,
        hasCompletedProjectOnboarding: true,
      },
    },
  };
  await replaceFile(file, JSON.stringify(answers));
}

function recordIn(json: string): Readonly<Record<string, unknown>> {
  const value = parseJson(json);
  return isRecord(value) ? value : {};
}

function recordAt(record: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const value = record[key];
  return isRecord(value) ? value : {};
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
