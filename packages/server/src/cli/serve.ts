// `parley serve`: starts the server, tells the person how to reach it, and stops it in good order.
import { openCredentials } from '../config/credentials.ts';
import { formatProblems } from '../config/problem.ts';
import { secretsOf } from '../config/secrets-of.ts';
import { createLogger } from '../logging/logger.ts';
import { scrubber } from '../logging/scrub.ts';
import { banner } from './banner.ts';
import type { CommandLine } from './command-line.ts';
import { loadFor } from './load.ts';
import { startFailure } from './start-failure.ts';
import { drain, endOnDefect, requestToStop } from './stopping.ts';

export async function serve(line: CommandLine): Promise<number> {
  const { config, problems, hints } = loadFor(line);
  if (problems.length > 0) {
    process.stderr.write(`${formatProblems(problems)}\n\nParley did not start.\n`);
    return 1;
  }
  if (line.demoChannels && !config.demo) {
    process.stderr.write(`${channelsNeedDemo}\n\nParley did not start.\n`);
    return 1;
  }
  // Asked for before anything is opened: a signal during the start stops it as soon as it is up.
  const asked = requestToStop();
  try {
    const credentials = await openCredentials(config);
    const { startApp } = await import('../app.ts');
    const logger = createLogger({
      level: config.log.level,
      pretty: process.stdout.isTTY,
      secrets: secretsOf(config, credentials),
    });
    endOnDefect(logger);
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
  'The flag --demo-channels belongs to demo mode, which is off here. Set PARLEY_DEMO=1, or leave the flag out.';
