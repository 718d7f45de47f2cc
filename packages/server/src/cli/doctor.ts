// `parley doctor`: checks everything that Parley needs to start, and says how to fix it.
import { once } from 'node:events';
import { type Sentence, say } from '@parley/protocol';
import { createOutgoing } from '../basics/outgoing.ts';
import { readEnvironment } from '../config/environment.ts';
import type { LoadedConfig } from '../config/resolve.ts';
import type { Config } from '../config/schema.ts';
import { proxySettings } from '../config/sections/proxy.ts';
import { bots } from './checks/bots.ts';
import { broken, type Check, type Examined, type Finding } from './checks/check.ts';
import { appSettings, configuration } from './checks/configuration.ts';
import { database } from './checks/database.ts';
import { disk, home, vaults } from './checks/files.ts';
import { model } from './checks/model.ts';
import { network } from './checks/network.ts';
import { people } from './checks/people.ts';
import { port } from './checks/port.ts';
import { claude, nodeVersion, ripgrep } from './checks/programs.ts';
import { apiKeys, password, permissionQuestions, rootUser, secretsInFile } from './checks/safety.ts';
import { sandbox } from './checks/sandbox.ts';
import { type OpenRegistry, servers } from './checks/servers.ts';
import { toolServers } from './checks/tool-servers.ts';
import { workFolders } from './checks/work-folders.ts';
import type { CommandLine } from './command-line.ts';
import { loadForData } from './whose-data.ts';

const longestCheckMs = 15_000;
/**
 * Opens a file, or a PostgreSQL database by its URL. Undefined if that would change its tables: only a start does that,
 * because an older server may still be using them.
 */
async function openStore(place: string) {
  if (/^postgres(ql)?:/.test(place)) {
    const { openPostgresStore, outdatedDatabase } = await import('../stores/postgres/store.ts');
    return (await outdatedDatabase(place)) === undefined ? openPostgresStore({ url: place }) : undefined;
  }
  const { openSqliteStore, outdatedDatabase } = await import('../stores/sqlite/store.ts');
  return (await outdatedDatabase({ file: place })) === undefined
    ? openSqliteStore({ file: place })
    : undefined;
}

export const everyCheck: readonly Check[] = [
  nodeVersion,
  configuration,
  appSettings,
  home,
  disk,
  database(openStore),
  people(openStore),
  servers(openRegistry),
  vaults,
  port,
  apiKeys,
  password,
  secretsInFile,
  rootUser(),
  permissionQuestions,
  network,
  model,
  ripgrep,
  claude,
  sandbox,
  workFolders,
  toolServers,
  bots,
];

export async function doctor(line: CommandLine): Promise<number> {
  const results = await examine(await loadForData(line), everyCheck);
  const healthy = results.every(({ state }) => state !== 'broken');
  process.stdout.write(
    line.json ? `${JSON.stringify({ ok: healthy, checks: results }, undefined, 2)}\n` : report(results),
  );
  return healthy ? 0 : 1;
}

async function openRegistry(config: Config): Promise<OpenRegistry | undefined> {
  if (config.database.url === undefined) return undefined;
  const { outdatedDatabase } = await import('../stores/postgres/store.ts');
  if ((await outdatedDatabase(config.database.url.reveal())) !== undefined) return undefined;
  const { openStores } = await import('../app/stores.ts');
  const stores = await openStores(config);
  return stores.shared && { servers: stores.shared.registry, close: () => stores.close() };
}

export type Result = Finding & { readonly check: string };

/** Runs all checks in parallel. A check that throws counts as a finding. */
export async function examine(loaded: LoadedConfig, checks: readonly Check[]): Promise<readonly Result[]> {
  const examined: Examined = {
    config: loaded.config,
    loaded,
    environment: readEnvironment(),
    outgoing: createOutgoing(proxySettings(loaded.config.proxy)),
    signal: AbortSignal.timeout(longestCheckMs),
  };
  const late = once(examined.signal, 'abort').then(() => notChecked(say`it took too long`));
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await Promise.race([findingsOf(check, examined), late]);
      return findings.map((finding) => ({ check: check.name, ...finding }));
    }),
  );
  return found.flat();
}

async function findingsOf(check: Check, examined: Examined): Promise<readonly Finding[]> {
  try {
    return await check.run(examined);
  } catch (error) {
    return notChecked(say`${error instanceof Error ? error.message : String(error)}`);
  }
}

function notChecked(why: Sentence): readonly Finding<Sentence>[] {
  return [broken(say`the check failed: ${why}`, say`Fix the other problems first.`)];
}

function report(results: readonly Result[]): string {
  const width = Math.max(...results.map(({ check }) => check.length));
  const lines = results.map((result) => {
    const first = `${signs[result.state]} ${result.check.padEnd(width)}  ${result.detail}`;
    return result.state === 'ok' ? first : `${first}\n${' '.repeat(width + 4)}→ ${result.fix}`;
  });
  return `${lines.join('\n')}\n\n${summaryOf(results)}\n`;
}

function summaryOf(results: readonly Result[]): string {
  const count = (wanted: Finding['state']) => results.filter(({ state }) => state === wanted).length;
  const problems = count('broken');
  const warnings = count('warning');
  if (problems > 0) {
    return `Parley can't start until you fix ${problems === 1 ? 'this problem' : `these ${problems} problems`}.`;
  }
  if (warnings === 0) return 'Everything looks good.';
  return `Parley can start, but look at ${warnings === 1 ? 'the warning' : `the ${warnings} warnings`} above.`;
}

const signs = { ok: '✓', warning: '!', broken: '✗' } as const;
