#!/usr/bin/env node
// The `parley` command: parses the command line and runs the command. Loads each command on demand.
import { parseCommandLine, usage } from './cli/command-line.ts';
import { enableCompileCache } from './cli/compile-cache.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const line = parseCommandLine(argv);
  if ('problem' in line) {
    process.stderr.write(`parley: ${line.problem}\n`);
    return 2;
  }
  switch (line.command) {
    case 'serve':
      enableCompileCache(line.flags.home);
      return (await import('./cli/serve.ts')).serve(line);
    case 'doctor':
      return (await import('./cli/doctor.ts')).doctor(line);
    case 'config':
      return (await import('./cli/config.ts')).showConfig(line);
    case 'password':
      return (await import('./cli/password.ts')).makePasswordHash();
    case 'people':
      return (await import('./cli/people.ts')).managePeople(line);
    case 'keys':
      return (await import('./cli/keys.ts')).manageKeys(line);
    case 'audit':
      return (await import('./cli/audit.ts')).showAudit(line);
    case 'backup':
      return (await import('./cli/backup.ts')).backup(line);
    case 'restore':
      return (await import('./cli/backup.ts')).restore(line);
    case 'migrate':
      return (await import('./cli/migrate.ts')).migrate(line);
    case 'log-level':
      return (await import('./cli/support.ts')).changeLogLevel(line);
    case 'support':
      return (await import('./cli/support.ts')).writeReport(line);
    case 'help':
      process.stdout.write(`${usage}\n`);
      return 0;
    case 'version':
      process.stdout.write(`${(await import('./version.ts')).version}\n`);
      return 0;
    default:
      return line.command satisfies never;
  }
}
