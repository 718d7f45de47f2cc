// The whole server in a folder of the test, configured by a file and the environment.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RunningApp, startApp } from '../../src/app.ts';
import { openCredentials } from '../../src/config/credentials.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/logging/logger.ts';

interface ServerOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** What `parley.config.json` contains. */
  readonly settings?: object;
  /** Gets each line of the log. */
  readonly log?: (line: string) => void;
}

/** The folder is also Parley's home, and the port any free one, unless the environment says otherwise. */
export async function startServer(
  folder: string,
  { environment, settings, log }: ServerOptions,
): Promise<RunningApp> {
  if (settings) await writeFile(join(folder, 'parley.config.json'), JSON.stringify(settings));
  const { config, problems } = loadConfig({
    environment: { PARLEY_HOME: folder, PARLEY_PORT: '0', ...environment },
    flags: {},
    folders: { user: folder, current: folder },
  });
  expect(problems).toEqual([]);
  const logger = createLogger(log ? { level: 'info', write: log } : { level: 'silent' });
  return startApp({ config, credentials: await openCredentials(config), logger });
}

/** Closes the server once `use` is done with it. */
export async function withServer<T>(
  folder: string,
  options: ServerOptions,
  use: (app: RunningApp) => Promise<T>,
): Promise<T> {
  const app = await startServer(folder, options);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
