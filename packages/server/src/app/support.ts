// Helps owners when something goes wrong, in the app and on the command line: changes the log level, and gathers the
// facts of the support report.
import { stat } from 'node:fs/promises';
import { arch, homedir, platform, release } from 'node:os';
import { basename } from 'node:path';
import { type About, type HealthFinding, LogLevelChange, type SupportReport, say } from '@parley/protocol';
import { z } from 'zod';
import type { Metrics } from '../basics/metrics.ts';
import { listenPrivately } from '../basics/private-socket.ts';
import {
  controlSocket,
  databaseFile,
  recipesFile,
  settingsFile,
  transcriptTextFile,
} from '../config/files.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/resolve.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import { systemClock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { LogControl, Support } from '../domain/support.ts';
import { migrations } from '../stores/sqlite/migrations.ts';
import { version } from '../version.ts';
import { planRestore } from './staged-restore.ts';
import { supportReport } from './support-report.ts';

export interface SupportSetup {
  readonly live: LiveConfig;
  readonly log: LogControl;
  readonly about: () => Promise<About>;
  /** The number of people. */
  readonly people: () => number;
  readonly metrics: Metrics;
  readonly audit: AuditLog;
  readonly restart: () => void;
  readonly logger: Logger;
}

/** What the command line asks a running server. */
export const Question = z.union([
  z.object({ ask: z.enum(['server-facts', 'levels']) }),
  LogLevelChange.extend({ ask: z.literal('log-level') }),
  z.object({ ask: z.literal('restore'), stage: z.string() }),
]);
export type Question = z.infer<typeof Question>;

export async function openSupport(setup: SupportSetup): Promise<Support & { close(): Promise<void> }> {
  const { live, log, about, people, metrics, audit, restart, logger } = setup;

  async function serverFacts(): Promise<ServerFacts> {
    const { startedAt } = await about();
    return { startedAt, people: people(), lines: log.recent(), metrics: await metrics.text() };
  }

  const support: Support = {
    levels: () => log.levels(),
    changeLevel(level, by) {
      log.setForNow(level ?? undefined);
      const detail = level === null ? say`as configured` : say`${level} until the next start`;
      audit.record({ action: 'settings.changed', ...by, subject: 'log.level', detail });
      return log.levels();
    },
    async report() {
      const { findings } = await about();
      return makeSupportReport(live.loaded, findings, await serverFacts());
    },
  };

  const answer = async (asked: unknown) => {
    const question = Question.parse(asked);
    switch (question.ask) {
      case 'server-facts':
        return serverFacts();
      case 'levels':
        return support.levels();
      case 'log-level':
        return support.changeLevel(question.level, {});
      case 'restore': {
        const aside = await planRestore(live.current, question.stage);
        // Closing waits for running turns, so the answer leaves first.
        restart();
        return aside;
      }
      default:
        return question satisfies never;
    }
  };
  const socket = await listenPrivately(controlSocket(live.current), answer).catch((error: unknown) => {
    logger.warn({ err: error }, 'the command line cannot reach this server');
    return undefined;
  });
  return { ...support, close: async () => socket?.close() };
}

/** What only a running server knows. */
export const ServerFacts = z.object({
  startedAt: z.number(),
  people: z.int(),
  lines: z.array(z.string()).readonly(),
  metrics: z.string(),
});
export type ServerFacts = z.infer<typeof ServerFacts>;

export async function makeSupportReport(
  loaded: LoadedConfig,
  findings: readonly HealthFinding[],
  server?: ServerFacts,
): Promise<SupportReport> {
  const { config } = loaded;
  return supportReport({
    now: systemClock.now(),
    version,
    node: process.versions.node,
    platform: `${platform()} ${release()} ${arch()}`,
    database: await databaseOf(loaded),
    bytes: await bytesOf([
      databaseFile(config),
      `${databaseFile(config)}-wal`,
      transcriptTextFile(config),
      recipesFile(config),
      settingsFile(config),
    ]),
    people: server?.people ?? config.people.length,
    startedAt: server?.startedAt,
    lines: server?.lines ?? [],
    metrics: server?.metrics ?? '',
    loaded,
    findings,
    userHome: homedir(),
  });
}

/** The newest schema that this version knows. If the database is older, the doctor says so. */
async function databaseOf({ config }: LoadedConfig): Promise<SupportReport['database']> {
  const kind = config.database.url === undefined ? 'sqlite' : 'postgres';
  const steps =
    kind === 'sqlite' ? migrations : (await import('../stores/postgres/migrations.ts')).migrations;
  return { kind, schemaVersion: Math.max(...steps.map((step) => step.version)) };
}

async function bytesOf(files: readonly string[]): Promise<Record<string, number>> {
  const sizes = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch(() => undefined);
      return found ? [[basename(file), found.size] as const] : [];
    }),
  );
  return Object.fromEntries(sizes.flat());
}
