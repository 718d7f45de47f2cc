// How the server is doing, and what an owner can do when something goes wrong: change what is logged, and get a report
// to send to somebody.
import { z } from 'zod';
import { SettingOrigin } from './settings-wire.ts';

export const LogLevel = z.enum(['debug', 'info', 'warn', 'error', 'silent']);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogLevelState = z.object({
  /** The level in effect. */
  level: LogLevel,
  /** The level in the settings, which takes effect after a restart. */
  configured: LogLevel,
});
export type LogLevelState = z.infer<typeof LogLevelState>;

/** Null returns to the level in the settings. */
export const LogLevelChange = z.object({ level: LogLevel.nullable() });
export type LogLevelChange = z.infer<typeof LogLevelChange>;

/** Something that Parley needs, and whether it works. */
export const HealthFinding = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warning', 'broken']),
  detail: z.string(),
  /** What to do; null if nothing is wrong. */
  fix: z.string().nullable(),
});
export type HealthFinding = z.infer<typeof HealthFinding>;

export const About = z.object({
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  demo: z.boolean(),
  startedAt: z.number(),
  /** The data folder, and the size of the database in it. */
  dataDir: z.string(),
  databaseBytes: z.number().nullable(),
  findings: z.array(HealthFinding),
});
export type About = z.infer<typeof About>;

/** Contains no secrets and nothing that people wrote. */
export const SupportReport = z.object({
  /** All times here are in ISO 8601. */
  madeAt: z.string(),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  /** Null if no server runs. */
  startedAt: z.string().nullable(),
  demo: z.boolean(),
  database: z.object({ kind: z.enum(['sqlite', 'postgres']), schemaVersion: z.int() }),
  people: z.int(),
  /** The sizes of the files in Parley's home that exist, by name. */
  bytes: z.record(z.string(), z.number()),
  /** Numbers, switches and choices as they are. For others, only whether they are set or how many entries they have. */
  settings: z.array(
    z.object({
      key: z.string(),
      value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
      from: SettingOrigin.shape.from,
    }),
  ),
  /** What `parley doctor` says. The app's report has only the checks that ask no other server. */
  findings: z.array(HealthFinding),
  /** The newest lines, without the fields and error messages that could quote somebody. Empty if no server runs. */
  log: z.array(z.record(z.string(), z.unknown())),
  /** In the Prometheus text format. Empty if no server runs. */
  metrics: z.string(),
});
export type SupportReport = z.infer<typeof SupportReport>;
