// Describes this server for the settings page: its versions, its data, and the findings of the doctor's quick checks.
import { stat } from 'node:fs/promises';
import { platform, release } from 'node:os';
import type { About } from '@parley/protocol';
import { databaseFile } from '../config/files.ts';
import type { LiveConfig } from '../config/live-config.ts';
import { systemClock } from '../domain/clock.ts';
import { version } from '../version.ts';

/** Some checks start programs to ask for their version, so the page reuses results for this long. */
const freshMs = 30_000;

export function aboutServer(live: LiveConfig): () => Promise<About> {
  const startedAt = systemClock.now();
  let latest: { readonly at: number; readonly about: Promise<About> } | undefined;

  async function describe(): Promise<About> {
    const { loaded } = live;
    const { dataDir, demo } = loaded.config;
    const database = await stat(databaseFile(loaded.config)).catch(() => undefined);
    // Loaded on demand, because few people ever open the page.
    const { examine, healthChecks } = await import('../cli/health.ts');
    const findings = await examine(loaded, healthChecks);
    return {
      version,
      node: process.versions.node,
      platform: `${platform()} ${release()}`,
      demo,
      startedAt,
      dataDir,
      databaseBytes: database?.size ?? null,
      findings: findings.map((finding) => ({
        check: finding.check,
        state: finding.state,
        detail: finding.detail,
        fix: finding.state === 'ok' ? null : finding.fix,
      })),
    };
  }

  return () => {
    const now = systemClock.now();
    if (!latest || now - latest.at > freshMs) latest = { at: now, about: describe() };
    return latest.about;
  };
}
