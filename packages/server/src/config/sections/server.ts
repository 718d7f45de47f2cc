// Where the server listens and stores its data, and what it logs.

import { isIP } from 'node:net';
import { LogLevel, say } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';

export const server = {
  home: setting(z.string().min(1).default('~/.parley'), {
    env: 'PARLEY_HOME',
    flag: 'home',
    form: 'path',
    meaning: "Parley's data folder: its database, its credentials, and the demo data.",
  }),
  host: setting(z.string().refine(isHost, 'expected an IP address or a host name').default('127.0.0.1'), {
    env: 'PARLEY_HOST',
    flag: 'host',
    meaning:
      'The address to listen on. If it is not loopback, Parley refuses to start without a configured API key or password.',
    hint: 'Use 127.0.0.1 for this machine only, or 0.0.0.0 for all its networks.',
  }),
  port: setting(z.int().min(0).max(65535).default(4710), {
    env: 'PARLEY_PORT',
    flag: 'port',
    form: 'number',
    meaning: 'The port to listen on. 0 picks a free port.',
    hint: 'Use a free port such as 4710, or 0 to pick any free port.',
  }),
  basePath: setting(
    z
      .string()
      .regex(/^(\/[\w.~-]+)*$/, 'expected a path such as /parley, without a trailing slash')
      .default(''),
    {
      env: 'PARLEY_BASE_PATH',
      meaning:
        'The path under which a proxy serves Parley, such as `/parley`. Empty if Parley has its own host name.',
    },
  ),
  demo: setting(z.boolean().optional(), {
    env: 'PARLEY_DEMO',
    form: 'boolean',
    fallback: 'on without an Anthropic API key',
    meaning: 'true turns demo mode on, in which a scripted model answers; false turns it off.',
    hint: 'Set it to 1 to turn demo mode on, to 0 to turn it off, or leave it out.',
  }),
  firstSteps: setting(z.boolean().optional(), {
    fallback: 'on without a configuration file',
    meaning:
      'Whether people with the right `settings` are led through the first steps: a key, people, a folder. Turned off when somebody finishes or skips them.',
  }),
  sessions: section({
    persist: setting(z.boolean().default(true), {
      meaning: 'Set it to false to keep sessions in memory only: they are lost when the server stops.',
    }),
  }),
  log: section({
    level: setting(LogLevel.default('info'), {
      env: 'PARLEY_LOG_LEVEL',
      meaning: say`The lowest level that is logged.`,
    }),
  }),
};

function isHost(host: string): boolean {
  return isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host);
}
