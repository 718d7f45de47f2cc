// The support report: what somebody needs to help from afar, and nothing private. Lists what each part may contain, not
// what to leave out. Masks secrets and the user's name on top of that, because texts such as findings can quote them.
import type { HealthFinding, SupportReport } from '@parley/protocol';
import { harmlessSettings } from '../config/harmless-settings.ts';
import type { LoadedConfig } from '../config/resolve.ts';
import { secretsOf } from '../config/secret.ts';
import { maskSecrets } from '../content/mask-secrets.ts';
import { harmlessLine } from '../logging/harmless-line.ts';
import { KnownSecrets } from '../logging/logger.ts';

export interface SupportFacts
  extends Pick<SupportReport, 'version' | 'node' | 'platform' | 'database' | 'people' | 'bytes' | 'metrics'> {
  readonly now: number;
  /** Undefined if no server runs. */
  readonly startedAt: number | undefined;
  readonly loaded: LoadedConfig;
  readonly findings: readonly HealthFinding[];
  /** As they were logged. */
  readonly lines: readonly string[];
  /** The user's home folder, whose path contains their name. */
  readonly userHome: string;
}

export function supportReport(facts: SupportFacts): SupportReport {
  const { loaded, now, startedAt, findings, lines, userHome, ...rest } = facts;
  const secrets = new KnownSecrets(secretsOf(loaded.config));
  // The home of a service user can be the root folder, which names nobody and is part of every path.
  const user = userHome.length > 1 ? userHome : undefined;
  const safe = (text: string) => {
    const masked = maskSecrets(secrets.scrub(text));
    return user === undefined ? masked : masked.replaceAll(user, '~');
  };
  return {
    madeAt: new Date(now).toISOString(),
    startedAt: startedAt === undefined ? null : new Date(startedAt).toISOString(),
    ...rest,
    demo: loaded.config.demo,
    settings: harmlessSettings(loaded),
    findings: findings.map(({ check, state, detail, fix }) => ({
      check,
      state,
      detail: safe(detail),
      fix: fix === null ? null : safe(fix),
    })),
    log: lines.map((line) => harmlessLine(line, safe)).filter((line) => line !== undefined),
  };
}
