// A folder with a configuration file, and a function that loads it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config/environment.ts';
import type { Flags } from '../../src/config/layers.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { LoadedConfig } from '../../src/config/resolve.ts';

export interface Given {
  /** The content of parley.config.json: text as it is, anything else as JSON. */
  readonly file?: unknown;
  readonly environment?: Environment;
  readonly flags?: Flags;
}

export interface ConfigFolder {
  /** Where parley.config.json is. */
  readonly current: string;
  /** The home folder of the user. */
  readonly user: string;
  readonly load: (given: Given) => LoadedConfig;
}

/** Removed after the test. */
export function configFolder(): ConfigFolder {
  const root = mkdtempSync(join(tmpdir(), 'parley-config-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folders = { current: join(root, 'here'), user: join(root, 'user') };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  return {
    ...folders,
    load({ file, environment = {}, flags = {} }) {
      if (file !== undefined) {
        const text = typeof file === 'string' ? file : JSON.stringify(file);
        writeFileSync(join(folders.current, 'parley.config.json'), text);
      }
      return loadConfig({ environment, flags, folders });
    },
  };
}
