// The `claude` program: where it is, where it may work, whose its sessions are, and how many run at once.
import { PersonName } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';

export const claudeCode = {
  workRoots: setting(z.array(z.string().min(1)).optional(), {
    env: 'PARLEY_WORK_ROOTS',
    form: 'paths',
    fallback: 'none; in demo mode `demo/projects` below `home`',
    meaning: 'The folders in and below which Claude Code may work. Anything else is refused.',
    hint: 'Give absolute paths, such as /home/ada/projects; several in the variable are parted as in PATH.',
  }),
  claude: section({
    path: setting(z.string().min(1).optional(), {
      env: 'PARLEY_CLAUDE_PATH',
      form: 'path',
      fallback: 'looked for in PATH, then among the installed packages',
      meaning: 'The `claude` program.',
    }),
    model: setting(z.string().min(1).optional(), {
      fallback: "the program's own choice",
      meaning: 'The model for sessions of Claude Code that name none.',
    }),
    permissionMode: setting(
      z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']).optional(),
      {
        fallback: "the program's own choice; in demo mode `default`",
        meaning: 'What sessions of Claude Code may do without asking, where they name nothing else.',
      },
    ),
    owner: setting(PersonName.optional(), {
      fallback: 'the first of the people',
      meaning: 'Whose the sessions are that were begun outside of Parley, such as in a plain terminal.',
    }),
    terminalPeople: setting(z.array(PersonName).optional(), {
      form: 'list',
      fallback: 'the owner',
      meaning: "Who may use the program's own screen. It lets them run anything as the user who runs Parley.",
    }),
    maxProcesses: setting(z.int().min(1).max(1_000).default(8), {
      meaning: 'How many claude processes may be awake at once; each takes about 150 MB.',
    }),
    idleMinutes: setting(z.int().min(1).max(10_000).default(15), {
      meaning: 'A process that did nothing for so long is put to sleep; the next message wakes it.',
    }),
    warmProcesses: setting(z.int().min(0).max(20).default(0), {
      meaning: 'How many processes wait for a new session, so that its first answer comes sooner.',
    }),
  }),
};
