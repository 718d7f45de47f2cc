// `parley serve`: starts the server, shows how to reach it, and shuts it down cleanly.
import { openCredentials } from '../config/credentials.ts';
import { loadProcessConfig } from '../config/load.ts';
import { formatProblems } from '../config/problem.ts';
import { secretsOf } from '../config/secret.ts';
import { createLogger, scrubber } from '../logging/logger.ts';
import { banner } from './banner.ts';
import type { CommandLine } from './command-line.ts';
import { startFailure } from './start-failure.ts';
import { drain, exitOnUncaughtError, requestToStop } from './stopping.ts';

export async function serve(line: CommandLine): Promise<number> {
  const { config, problems, hints } = loadProcessConfig(line.flags);
  if (problems.length > 0) {
    process.stderr.write(`${formatProblems(problems)}\n\nParley did not start.\n`);
    return 1;
  }
  if (line.demoChannels && !config.demo) {
    process.stderr.write(`${channelsNeedDemo}\n\nParley did not start.\n`);
    return 1;
  }
  // Listens for signals before anything is opened: a signal during the start stops the server as soon as it is ready.
  const asked = requestToStop();
  try {
    const credentials = await openCredentials(config);
    const { startApp } = await import('../app.ts');
    const logger = createLogger({
      level: config.log.level,
      pretty: process.stdout.isTTY,
      secrets: secretsOf(config, credentials),
    });
    exitOnUncaughtError(logger);
    const app = await startApp({ config, credentials, logger, demoChannels: line.demoChannels });
    const { url, demoChannelsUrl } = app;
    process.stderr.write(banner({ config, url, demoChannelsUrl, credentials, hints }));
    const signal = await asked;
    return await drain(app, { logger, graceMs: config.limits.shutdownSeconds * 1_000, signal });
  } catch (error) {
    const scrub = scrubber(secretsOf(config));
    process.stderr.write(`${scrub(await startFailure(error, config))}\n`);
    return 1;
  }
}

const channelsNeedDemo =
  'The flag --demo-channels only works in demo mode, which is off. Set PARLEY_DEMO=1, or remove the flag.';
