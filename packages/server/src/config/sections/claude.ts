// The `claude` program: where it is, where it may work, who owns its sessions, and how many run at once.
import { isAbsolute } from 'node:path';
import { PersonName, say } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';

const SandboxMode = z.enum(['auto', 'required', 'off']);

/** Entries of `workRoots`: a path, or a path with settings of its own. */
const WorkRoot = z.union([
  z.string().min(1),
  z.strictObject({
    path: z.string().min(1).refine(isAbsolute, 'expected an absolute path'),
    sandbox: SandboxMode.optional(),
    people: z.array(PersonName).optional(),
  }),
]);

export const claudeCode = {
  workRoots: setting(z.array(WorkRoot).optional(), {
    env: 'PARLEY_WORK_ROOTS',
    form: 'paths',
    fallback: 'none; in demo mode `demo/projects` in `home`',
    meaning:
      'The folders in which Claude Code may work, including their subfolders. Other folders are refused. In the file, an entry can also be `{"path": …, "sandbox": …, "people": […]}`, to set the sandbox for this folder or to let only some people work there.',
    hint: 'Use absolute paths such as /home/ada/projects. In the variable, separate several paths as in PATH.',
  }),
  sandbox: setting(SandboxMode.default('auto'), {
    env: 'PARLEY_SANDBOX',
    meaning:
      'Whether `claude` runs in a sandbox (Linux: bubblewrap, macOS: sandbox-exec), where it sees only its work folder, the person’s own configuration and the system. `auto`: if this machine has one. `required`: nothing runs without one. The network stays open.',
  }),
  sandboxReads: setting(z.array(z.string().min(1)).default([]), {
    form: 'paths',
    meaning:
      'More files and folders that programs in the sandbox may read, such as tools in your home folder.',
  }),
  claude: section({
    path: setting(z.string().min(1).optional(), {
      env: 'PARLEY_CLAUDE_PATH',
      form: 'path',
      fallback: 'found in PATH, then among the installed packages',
      meaning: 'The `claude` program.',
    }),
    model: setting(z.string().min(1).optional(), {
      fallback: say`the program's default`,
      meaning: say`The default model for Claude Code sessions.`,
    }),
    permissionMode: setting(
      z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']).optional(),
      {
        fallback: say`the program's default; in demo mode \`default\``,
        meaning: say`What Claude Code sessions may do without asking, by default. \`dontAsk\` and \`bypassPermissions\` never ask: they apply only to owners, and everyone else gets \`default\`.`,
      },
    ),
    owner: setting(PersonName.optional(), {
      fallback: say`the first of \`people\``,
      meaning: 'Who owns sessions that were started outside of Parley, such as in a terminal.',
    }),
    terminalPeople: setting(z.array(PersonName).optional(), {
      form: 'list',
      fallback: 'the owner',
      meaning:
        "Who may use the program's own terminal interface. They can run anything as the user who runs Parley.",
    }),
    shareLogin: setting(z.boolean().default(false), {
      meaning:
        'Lets everybody use the login of the user who runs Parley, if no API key is set. Their programs can then read it. Otherwise each person but the owner needs a login of their own.',
    }),
    maxProcesses: setting(z.int().min(1).max(1_000).default(8), {
      meaning:
        'How many `claude` processes may work at once; further prompts wait. Each takes about 150 MB. Up to as many again may wait for a person’s decision.',
    }),
    idleMinutes: setting(z.int().min(1).max(10_000).default(15), {
      meaning: 'A process that is idle for this long is stopped. The next message starts it again.',
    }),
    warmProcesses: setting(z.int().min(0).max(20).optional(), {
      fallback: '1 on a machine with at least 4 GB of memory, otherwise 0',
      meaning:
        'How many processes wait for new sessions, so that the first answer comes sooner. None starts with less than 1 GB of free memory.',
    }),
  }),
};
