// The `claude` program: where it is, where it may work, who owns its sessions, and how many run at once.
import { PersonName } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';

export const claudeCode = {
  workRoots: setting(z.array(z.string().min(1)).optional(), {
    env: 'PARLEY_WORK_ROOTS',
    form: 'paths',
    fallback: 'none; in demo mode `demo/projects` in `home`',
    meaning:
      'The folders in which Claude Code may work, including their subfolders. Other folders are refused.',
    hint: 'Use absolute paths such as /home/ada/projects. In the variable, separate several paths as in PATH.',
  }),
  claude: section({
    path: setting(z.string().min(1).optional(), {
      env: 'PARLEY_CLAUDE_PATH',
      form: 'path',
      fallback: 'found in PATH, then among the installed packages',
      meaning: 'The `claude` program.',
    }),
    model: setting(z.string().min(1).optional(), {
      fallback: "the program's default",
      meaning: 'The default model for Claude Code sessions.',
    }),
    permissionMode: setting(
      z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']).optional(),
      {
        fallback: "the program's default; in demo mode `default`",
        meaning: 'What Claude Code sessions may do without asking, by default.',
      },
    ),
    owner: setting(PersonName.optional(), {
      fallback: 'the first of the people',
      meaning: 'Who owns sessions that were started outside of Parley, such as in a terminal.',
    }),
    terminalPeople: setting(z.array(PersonName).optional(), {
      form: 'list',
      fallback: 'the owner',
      meaning:
        "Who may use the program's own terminal interface. They can run anything as the user who runs Parley.",
    }),
    maxProcesses: setting(z.int().min(1).max(1_000).default(8), {
      meaning: 'How many `claude` processes may run at once. Each takes about 150 MB.',
    }),
    idleMinutes: setting(z.int().min(1).max(10_000).default(15), {
      meaning: 'A process that is idle for this long is stopped. The next message starts it again.',
    }),
    warmProcesses: setting(z.int().min(0).max(20).default(0), {
      meaning: 'How many processes wait for new sessions, so that the first answer comes sooner.',
    }),
  }),
};
