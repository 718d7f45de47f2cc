// `parley serve`: starts the server, shows how to reach it, and shuts it down cleanly.
import { existsSync } from 'node:fs';
import { finishRestore } from '../app/staged-restore.ts';
import { openCredentials } from '../config/credentials.ts';
import { readEnvironment } from '../config/environment.ts';
import { makePrivateFolder, restorePlanFile } from '../config/files.ts';
import { LiveConfig } from '../config/live-config.ts';
import { loadProcessConfig } from '../config/load.ts';
import { formatProblems } from '../config/problem.ts';
import { secretsOf } from '../config/secret.ts';
import { createLogger, KnownSecrets } from '../logging/logger.ts';
import { banner } from './banner.ts';
import { startRemarks } from './checks/safety.ts';
import type { CommandLine } from './command-line.ts';
import { saveCompileCache } from './compile-cache.ts';
import { startFailure } from './start-failure.ts';
import { closeInTime, drain, exitOnUncaughtError, requestToStop } from './stopping.ts';
import { loadForHome } from './whose-data.ts';

export async function serve(line: CommandLine): Promise<number> {
  // Listens for signals before anything is opened: a signal during the start stops the server as soon as it is ready.
  const asked = requestToStop();
  let next = line;
  for (;;) {
    const end = await serveOnce(next, asked);
    if (typeof end === 'number') return end;
    // Keeps the port, even one that was picked at random. A restart ends the demo, and with it the page of chats.
    next = { ...next, flags: { ...next.flags, ...end.flags }, demoChannels: false };
  }
}

/** Resolves to the exit code if the process is asked to stop, or to changed flags if the server has to restart. */
async function serveOnce(
  line: CommandLine,
  asked: Promise<NodeJS.Signals>,
): Promise<number | Pick<CommandLine, 'flags'>> {
  let loaded = loadProcessConfig(line.flags);
  const { config: home } = loadForHome(loaded);
  if (existsSync(restorePlanFile(home))) {
    try {
      await finishRestore(home);
    } catch (error) {
      process.stderr.write(`${await startFailure(error, home)}\n`);
      return 1;
    }
    // The backup may have other settings.
    loaded = loadProcessConfig(line.flags);
  }
  const { config, problems, hints } = loaded;
  if (problems.length > 0) {
    process.stderr.write(`${formatProblems(problems)}\n\nParley did not start.\n`);
    return 1;
  }
  if (line.demoChannels && !config.demo) {
    process.stderr.write(`${channelsNeedDemo}\n\nParley did not start.\n`);
    return 1;
  }
  const secrets = new KnownSecrets(secretsOf(config));
  try {
    await makePrivateFolder(config.dataDir);
    // The app starts meanwhile, because hashing a new password takes as long as opening the database.
    const opening = openCredentials(config).then((opened) => {
      secrets.learn(secretsOf(opened));
      return opened;
    });
    // If the app fails first, that is the error to show.
    opening.catch(() => undefined);
    const { startApp } = await import('../app.ts');
    const logger = createLogger({ level: config.log.level, pretty: process.stdout.isTTY, secrets });
    const ignoreUncaughtErrors = exitOnUncaughtError(logger);
    const live = new LiveConfig(loaded, {
      learnSecrets: (learned) => secrets.learn(learned),
      logger,
    });
    live.onChange(({ log }) => logger.setLevel(log.level));
    let restart = (): void => undefined;
    const restarts = new Promise<undefined>((resolve) => {
      restart = () => resolve(undefined);
    });
    const app = await startApp({
      config,
      live,
      credentials: opening,
      logger,
      log: logger.control,
      restart,
      demoChannels: line.demoChannels,
    });
    const { url, demoChannelsUrl } = app;
    const credentials = await opening;
    const remarks = await startRemarks({ config, loaded, environment: readEnvironment() });
    for (const { check, text } of remarks) logger.warn({ check }, text.replace(/\n\s*/, ' '));
    const shown = [...hints, ...remarks.map(({ text }) => text)];
    process.stderr.write(banner({ config, url, demoChannelsUrl, credentials, hints: shown }));
    saveCompileCache();
    const graceMs = config.limits.shutdownSeconds * 1_000;
    const signal = await Promise.race([asked, restarts]);
    if (signal === undefined) {
      logger.info({}, 'restarting');
      await closeInTime(app, { logger, graceMs }).catch((error: unknown) =>
        logger.error({ err: error }, 'could not stop cleanly'),
      );
      // The next run has its own logger.
      ignoreUncaughtErrors();
      return { flags: config.port === 0 ? { port: new URL(url).port } : {} };
    }
    return await drain(app, { logger, graceMs, signal });
  } catch (error) {
    process.stderr.write(`${secrets.scrub(await startFailure(error, config))}\n`);
    return 1;
  }
}

const channelsNeedDemo =
  'The flag --demo-channels only works in demo mode, which is off. Set PARLEY_DEMO=1, or remove the flag.';
