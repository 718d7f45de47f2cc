// Do the folders in which Claude Code works exist, and do they have configuration that is not used because nobody trusts
// it?
import { join } from 'node:path';
import { type Sentence, say } from '@parley/protocol';
import { pathExists } from '../../basics/path-exists.ts';
import { botsOf } from '../../config/bots.ts';
import { trustedFoldersFile } from '../../config/files.ts';
import type { Config } from '../../config/schema.ts';
import { demoProgramHome, demoProjectsRoot } from '../../demo/layout.ts';
import { systemClock } from '../../domain/clock.ts';
import type { FolderLook } from '../../domain/folder-trust.ts';
import { silentLogger } from '../../domain/logger.ts';
import { userHome } from '../../engines/claude-code/program-home.ts';
import { createFolderTrust } from '../../engines/claude-code/trust/folder-trust.ts';
import { createWorkFolders } from '../../engines/claude-code/work-folders.ts';
import { type Finding, type HealthCheck, ok, warning } from './check.ts';

/** Only looks at the roots and the folders of bots: a chat can't ask for trust. */
export const workFolders: HealthCheck = {
  name: say`Work folders`,
  async run({ config, environment }) {
    const bots = botsOf(config).filter(({ isEnabled, engine }) => isEnabled && engine === 'claude-code');
    const roots = config.workRoots.map(({ path }) => path);
    const places = [...new Set([...roots, ...bots.map(({ workspace }) => workspace)])];
    const owner = config.claude.owner ?? config.people[0] ?? '';
    const trust = createFolderTrust({
      folders: createWorkFolders({ roots: places.map((path) => ({ path })) }),
      file: trustedFoldersFile(config),
      ownFolder: async () =>
        config.demo
          ? join(demoProgramHome(config.home), '.claude')
          : (await userHome(environment, { baseUrl: config.anthropic.baseUrl })).config,
      clock: systemClock,
      logger: silentLogger,
    });
    // A folder that isn't there yet has nothing to run.
    const looks = await Promise.all(places.map((place) => trust.look(owner, place).catch(() => undefined)));
    const untrusted = looks.filter((look) => look !== undefined && !look.isTrusted) as FolderLook[];
    const findings = [...(await missing(config)), ...untrusted.map(findingOf)];
    return findings.length === 0 ? [ok(say`none is waiting to be trusted`)] : findings;
  },
};

/** Roots that don't exist. The first start makes the root of the demo. */
async function missing({ workRoots, home }: Config): Promise<readonly Finding<Sentence>[]> {
  const roots = workRoots.map(({ path }) => path).filter((path) => path !== demoProjectsRoot(home));
  const found = await Promise.all(roots.map(pathExists));
  return roots
    .filter((_, at) => !found[at])
    .map((path) => warning(say`there is no folder ${path}`, say`Create it, or correct workRoots.`));
}

function findingOf({ path, reason, runs, more }: FolderLook): Finding<Sentence> {
  const count = runs.length + more;
  const things = count === 1 ? say`one thing` : say`${count} things`;
  return warning(
    reason === 'changed'
      ? say`${path} has changed since it was trusted: ${things} that it would run, and its CLAUDE.md, are not used`
      : say`${path} is not trusted: ${things} that it would run, and its CLAUDE.md, are not used`,
    say`Open a session there in the app to see them, and to trust the folder.`,
  );
}
