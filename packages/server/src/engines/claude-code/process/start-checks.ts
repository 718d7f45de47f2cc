// Checks what a process needs before it starts: its settings, its person's home, its sandbox and the trust in its folder.
import type { ClaudeCodeSettings, PersonName, Session } from '@parley/protocol';
import { isBypassing } from '../../../domain/access.ts';
import type { ClaudeCodeOptions } from '../claude-code-options.ts';
import type { KeyRelay } from '../relay/key-relay.ts';
import { configurationKey } from '../trust/untrusted.ts';
import type { SessionProcess } from './session-process.ts';
import { type CodeSettings, type StartSettings, settingsFor } from './settings.ts';

type Options = Pick<ClaudeCodeOptions, 'homes' | 'sandbox' | 'trust' | 'defaults' | 'mayBypass'> & {
  readonly relay: KeyRelay;
};

export class StartChecks {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  settingsOf(person: PersonName, settings: Readonly<Partial<ClaudeCodeSettings>>): CodeSettings {
    return settingsFor(person, settings, this.#options);
  }

  /** What the program of a person's session starts with. */
  startSettings(person: PersonName, settings: Readonly<Partial<ClaudeCodeSettings>>): Promise<StartSettings> {
    return this.check(person, this.settingsOf(person, settings));
  }

  async check(person: PersonName, settings: CodeSettings): Promise<StartSettings> {
    const { homes, sandbox, trust, relay } = this.#options;
    const [home, folder] = await Promise.all([
      homes.of(person),
      trust.look(person, settings.workingDir),
      relay.start(),
    ]);
    const workingDir = folder.path;
    const wrap = await sandbox?.confine({ person, home, workingDir, mcpConfig: settings.mcpConfig });
    return { ...settings, workingDir, folder, person, home, wrap };
  }

  /** The program applies changed configuration of its folder with the next prompt, so the folder is checked before each one. */
  async isOutdated(session: Session, { awake, folder }: SessionProcess): Promise<boolean> {
    if (awake.isBusy) return false;
    const { workingDir, permissionMode } = this.settingsOf(session.person, session.settings);
    // The person may have lost the right to turn off questions.
    if (isBypassing(awake.settings.permissionMode) && !isBypassing(permissionMode)) return true;
    const now = await this.#options.trust.look(session.person, workingDir);
    return configurationKey(now) !== configurationKey(folder) && !awake.isBusy;
  }
}
