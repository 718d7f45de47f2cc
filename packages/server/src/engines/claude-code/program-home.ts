// The program's environment: its home folder and its variables. Outside demo mode both are the user's own, so that the
// login and the transcripts are too. In demo mode it gets its own home and the stand-in.
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../../basics/atomic-file.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ProgramHome {
  /** Where the program keeps its transcripts. */
  readonly projects: string;
  /** The variables of the host; the driver passes on only those on its list. */
  readonly host: Variables;
  /** More variables for the program. */
  readonly variables: Variables;
  /** Lets the program's screen open without the questions of a first run; does nothing in a user's home. */
  prepareScreen(workingDir: string): Promise<void>;
}

/** The home of the user who runs Parley. */
export function userHome(
  host: Variables,
  anthropic: { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined },
): ProgramHome {
  const config = host['CLAUDE_CONFIG_DIR'] ?? join(host['HOME'] ?? homedir(), '.claude');
  return {
    projects: join(config, 'projects'),
    host,
    variables: {
      ...(anthropic.apiKey !== undefined && { ANTHROPIC_API_KEY: anthropic.apiKey }),
      ...(anthropic.baseUrl !== undefined && { ANTHROPIC_BASE_URL: anthropic.baseUrl }),
    },
    prepareScreen: () => Promise.resolve(),
  };
}

/** Variables of the host that a program in its own home still needs; none of them names an account. */
const neutral = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SHELL', 'USER', 'LOGNAME', 'TMPDIR', 'TERM'];

/** A separate home below the given folder, with the stand-in instead of the Anthropic API. */
export async function ownHome(
  folder: string,
  host: Variables,
  standIn: { readonly url: string; readonly apiKey: string },
): Promise<ProgramHome> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // As root, the program skips permissions only if it believes that it is in a sandbox.
  const isRoot = process.getuid?.() === 0;
  return {
    projects: join(folder, '.claude', 'projects'),
    host: Object.fromEntries(neutral.map((name) => [name, host[name]])),
    variables: {
      HOME: folder,
      ANTHROPIC_BASE_URL: standIn.url,
      ANTHROPIC_API_KEY: standIn.apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...(isRoot && { IS_SANDBOX: '1' }),
    },
    prepareScreen: (workingDir) => answerFirstQuestions(folder, standIn.apiKey, workingDir),
  };
}

/** The program asks for theme, key and trust on its first screen, and notes the answers in this file. */
async function answerFirstQuestions(home: string, apiKey: string, workingDir: string): Promise<void> {
  const file = join(home, '.claude.json');
  const known = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, unknown>;
  const projects = (known['projects'] ?? {}) as Record<string, Record<string, unknown>>;
  const answers = {
    ...known,
    hasCompletedOnboarding: true,
    theme: known['theme'] ?? 'dark',
    customApiKeyResponses: { approved: [apiKey.slice(-20)], rejected: [] },
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
