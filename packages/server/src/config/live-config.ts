// The configuration while the server runs. Parts read `current`, or listen for changes that people make in the app. File,
// environment and flags are read once, at the start.
import { ParleyError, type SettingChange, type SettingProblem } from '@parley/protocol';
import { KeyedQueue } from '../basics/keyed-queue.ts';
import { SettingsRefused, type SettingsStore } from '../domain/app-settings.ts';
import type { Logger } from '../domain/logger.ts';
import { parsedAlone, unitProblems } from './app-layer.ts';
import { type Unit, unitOf } from './editable.ts';
import { settingsFile } from './files.ts';
import { withKeptSecrets } from './kept-secrets.ts';
import { originText, type Problem } from './problem.ts';
import { type LoadedConfig, resolve, resolveIn } from './resolve.ts';
import type { Config, Settings } from './schema.ts';
import { secretsOf } from './secret.ts';
import { StoredSettings, writeSettingsFile } from './settings-file.ts';

/** Applies a change to a part. A part whose settings are the same does nothing. */
export type ConfigListener = (config: Config) => Promise<void> | void;

export interface LiveConfigOptions {
  /** Called with every secret before it is used, so that none appears in the log. */
  readonly learnSecrets: (secrets: readonly string[]) => void;
  readonly logger: Logger;
}

/** Matches no revision, so that settings are only stored if there are none yet. */
const none = -1;
/** Every start reads all settings into memory. */
const maxBytes = 1024 * 1024;

export class LiveConfig {
  readonly #options: LiveConfigOptions;
  readonly #changes = new KeyedQueue();
  readonly #listeners: ConfigListener[] = [];
  #loaded: LoadedConfig;
  #store: SettingsStore | undefined;

  constructor(loaded: LoadedConfig, options: LiveConfigOptions) {
    this.#loaded = loaded;
    this.#options = options;
  }

  get loaded(): LoadedConfig {
    return this.#loaded;
  }

  get current(): Config {
    return this.#loaded.config;
  }

  /** Call it with secrets that are not part of the settings yet. */
  learn(secrets: readonly string[]): void {
    this.#options.learnSecrets(secrets);
  }

  /** Listeners are called one after the other, in the order of registration. */
  onChange(listener: ConfigListener): void {
    this.#listeners.push(listener);
  }

  /** Makes all changes or none. Resolves when they are saved and every part has applied them. */
  change(changes: readonly SettingChange[]): Promise<void> {
    return this.#changes.run('', async () => {
      let next = this.#after(changes);
      while (!(await this.#shareAfter(next.stored))) {
        // Another server was faster. That is a conflict only if it changed the same setting.
        await this.#adopt();
        next = this.#after(changes);
      }
      await this.#keep(next.stored);
      await this.#apply(next);
    });
  }

  /** From now on, uses the settings in this store, like all servers. The file becomes a copy for the next start. */
  async share(store: SettingsStore): Promise<void> {
    this.#store = store;
    await this.#changes.run('', async () => {
      const { stored } = this.#loaded;
      // The first server stores its own settings.
      if (stored.revision > 0)
        await store.replace(JSON.stringify(stored), { from: none, to: stored.revision });
      await this.#adopt();
    });
  }

  /** Call it when another server may have changed the settings. */
  async refresh(): Promise<void> {
    if (this.#store) await this.#changes.run('', () => this.#adopt());
  }

  async #shareAfter(stored: StoredSettings): Promise<boolean> {
    if (!this.#store) return true;
    const revision = { from: this.#loaded.stored.revision, to: stored.revision };
    return this.#store.replace(JSON.stringify(stored), revision);
  }

  async #adopt(): Promise<void> {
    const text = await this.#store?.read();
    if (text === undefined || text === JSON.stringify(this.#loaded.stored)) return;
    const stored = StoredSettings.parse(JSON.parse(text));
    const next = resolveIn(this.current.demo, this.#loaded.given, { file: this.#file, stored });
    this.#options.learnSecrets(secretsOf(next.config));
    await this.#keep(stored);
    await this.#apply(next);
  }

  async #apply(next: LoadedConfig): Promise<void> {
    this.#loaded = next;
    for (const listener of this.#listeners) {
      try {
        await listener(next.config);
      } catch (error) {
        this.#options.logger.error({ err: error }, 'failed to apply a change to the settings');
      }
    }
  }

  /** The default settings with this one value, to try it. Nothing is saved. */
  preview(key: string, value: SettingChange['value']): Settings {
    const unit = unitOf(key);
    if (!unit) throw new SettingsRefused([notForTheApp(key)]);
    const settings = parsedAlone({ ...unit, value: this.#completed(unit, value) });
    this.#options.learnSecrets(secretsOf(settings));
    return settings;
  }

  #after(changes: readonly SettingChange[]): LoadedConfig {
    const { stored } = this.#loaded;
    const revision = stored.revision + 1;
    const settings = new Map(Object.entries(stored.settings));
    const problems: SettingProblem[] = [];
    for (const { key, value, revision: seen } of changes) {
      const unit = unitOf(key);
      if (value === null) {
        this.#expect(key, seen);
        settings.delete(key);
      } else if (unit) {
        this.#expect(key, seen);
        this.#refuseFixed(unit);
        try {
          settings.set(key, { value: this.#completed(unit, value), revision });
        } catch (error) {
          if (!(error instanceof SettingsRefused)) throw error;
          problems.push(...error.problems);
        }
      } else problems.push(notForTheApp(key));
    }
    if (problems.length > 0) throw new SettingsRefused(problems);
    return this.#checked({ ...stored, revision, settings: Object.fromEntries(settings) });
  }

  /** Fills in kept secrets. Throws if the value is not valid on its own. */
  #completed({ key, ...unit }: Unit, given: SettingChange['value']): SettingChange['value'] {
    const kept = withKeptSecrets(given, this.#loaded.stored.settings[key]?.value);
    if ('wrong' in kept) throw new SettingsRefused([{ key, message: kept.wrong, hint: enterAgain }]);
    const problems = unitProblems({ ...unit, key, value: kept.value }, { from: 'app', name: this.#file });
    if (problems.length > 0) throw new SettingsRefused(problems.map(toWire));
    return kept.value as SettingChange['value'];
  }

  /** Refuses settings that contradict each other. What was wrong before doesn't count. */
  #checked(stored: StoredSettings): LoadedConfig {
    if (JSON.stringify(stored).length > maxBytes) throw tooMuch;
    const next = resolve(this.#loaded.given, { file: this.#file, stored });
    if (next.config.demo !== this.current.demo) throw new SettingsRefused([movesData(this.current.demo)]);
    const { problems, ignored } = this.#loaded;
    const before = new Set([...problems, ...ignored].map(({ key, message }) => `${key}: ${message}`));
    const added = [...next.problems, ...next.ignored].filter(
      ({ key, message }) => !before.has(`${key}: ${message}`),
    );
    if (added.length > 0) throw new SettingsRefused(added.map(toWire));
    this.#options.learnSecrets(secretsOf(next.config));
    return next;
  }

  #expect(key: string, seen: number): void {
    const current = this.#loaded.stored.settings[key]?.revision ?? 0;
    if (seen !== current) {
      throw new ParleyError(
        'conflict',
        `Somebody else changed ${key} in the meantime. Look at the new value and try again.`,
      );
    }
  }

  #refuseFixed({ key }: Unit): void {
    const layer = this.#loaded.given.layers.findLast(({ origins }) => origins.has(key));
    const origin = layer?.origins.get(key);
    if (origin === undefined) return;
    throw new ParleyError('conflict', `${key} is set by ${originText(origin)}. Change it there.`);
  }

  /** If the settings are in a store, the file is only a copy, and may fail. */
  async #keep(stored: StoredSettings): Promise<void> {
    if (!this.#store) return this.#save(stored);
    await this.#save(stored).catch((error: unknown) =>
      this.#options.logger.error({ err: error }, 'the copy of the settings could not be written'),
    );
  }

  async #save(stored: StoredSettings): Promise<void> {
    try {
      await writeSettingsFile(this.#file, stored);
    } catch (cause) {
      throw new ParleyError(
        'unavailable',
        'The settings could not be saved, so nothing was changed. Check that the disk is not full.',
        { cause },
      );
    }
  }

  get #file(): string {
    return settingsFile(this.current);
  }
}

const enterAgain = 'Enter the secret again.';
const tooMuch = new ParleyError('too_large', 'These settings are larger than Parley can store.');

function movesData(demo: boolean): SettingProblem {
  return demo
    ? { key: 'anthropic.apiKey', message: 'this would end the demo', hint: 'Use “Set up Parley” instead.' }
    : { key: 'anthropic.apiKey', message: 'this would start the demo', hint: 'Replace the key instead.' };
}

function notForTheApp(key: string): SettingProblem {
  return { key, message: 'this cannot be changed in the app', hint: 'Change the configuration file.' };
}

function toWire({ key, message, hint }: Problem): SettingProblem {
  return { key, message, hint };
}
