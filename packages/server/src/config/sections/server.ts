// Where the server listens, keeps its data, and what it writes to its log.
import { isIP } from 'node:net';
import { z } from 'zod';
import { section, setting } from '../setting.ts';

export const server = {
  home: setting(z.string().min(1).default('~/.parley'), {
    env: 'PARLEY_HOME',
    flag: 'home',
    form: 'path',
    meaning: 'The folder for everything Parley keeps: its database, its credentials, and the demo data.',
  }),
  host: setting(z.string().refine(isHost, 'expected an IP address or a host name').default('127.0.0.1'), {
    env: 'PARLEY_HOST',
    flag: 'host',
    meaning:
      'The address to listen on. Any other than loopback needs a configured secret, or Parley refuses to start.',
    hint: 'Use 127.0.0.1 for this machine alone, or 0.0.0.0 for every network it is in.',
  }),
  port: setting(z.int().min(0).max(65535).default(4710), {
    env: 'PARLEY_PORT',
    flag: 'port',
    form: 'number',
    meaning: 'The port to listen on; 0 takes any free one.',
    hint: 'Give a free port such as 4710, or 0 for any free one.',
  }),
  basePath: setting(
    z
      .string()
      .regex(/^(\/[\w.~-]+)*$/, 'expected a path such as /parley, without a slash at its end')
      .default(''),
    {
      env: 'PARLEY_BASE_PATH',
      meaning:
        'The path below which a proxy shows Parley, such as `/parley`; empty when it has a host of its own.',
    },
  ),
  demo: setting(z.boolean().optional(), {
    env: 'PARLEY_DEMO',
    form: 'boolean',
    fallback: 'on without an Anthropic API key',
    meaning: 'true forces demo mode, in which a scripted stand-in answers; false forbids it.',
    hint: 'Set it to 1 to force demo mode, to 0 to forbid it, or leave it out.',
  }),
  sessions: section({
    persist: setting(z.boolean().default(true), {
      meaning: 'false keeps sessions in memory alone: they are gone when the server stops.',
    }),
  }),
  log: section({
    level: setting(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'), {
      env: 'PARLEY_LOG_LEVEL',
      meaning: 'The least important kind of line that is logged.',
    }),
  }),
};

function isHost(host: string): boolean {
  return isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host);
}
