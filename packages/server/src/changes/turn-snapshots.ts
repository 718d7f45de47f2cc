// Records the state of the working directory before each turn. Takes about as long as `git status`, and gives up after
// a while.
import type { TurnSnapshots } from '../domain/changes.ts';
import type { Logger } from '../domain/logger.ts';
import type { WorkFolders } from '../domain/work-folders.ts';
import type { HiddenIn } from '../folders/file-places.ts';
import { PrivateGit } from './private-git.ts';
import { findRepository, mayWorkIn } from './repository.ts';
import { takeSnapshot } from './snapshot.ts';
import type { SnapshotRecords } from './snapshot-records.ts';

export interface TurnSnapshotsOptions {
  readonly folders: Pick<WorkFolders, 'check'>;
  readonly hidden: HiddenIn;
  readonly records: SnapshotRecords;
  readonly logger: Logger;
}

/** A turn waits no longer than this. */
const maxMs = 4_000;
/** A session whose snapshots take more than this starts over. */
const maxKilobytes = 512 * 1024;

export function createTurnSnapshots({
  folders,
  hidden,
  records,
  logger,
}: TurnSnapshotsOptions): TurnSnapshots {
  return {
    async take({ session, person, turn, folder, signal }) {
      try {
        const repository = await findRepository(folder, mayWorkIn(folders, person));
        if (!repository) return;
        const limited = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
        const unseen = await hidden(person, repository.top);
        const open = () => PrivateGit.open(records.gitFolder(session), repository, unseen, limited);
        let git = await open();
        if ((await sizeOf(git, limited)) > maxKilobytes) {
          await records.forget(session);
          git = await open();
        }
        const { tree } = await takeSnapshot(git, limited);
        await records.add(session, repository.top, turn, tree);
      } catch (error) {
        if (!signal.aborted) logger.info({ err: error, session }, 'no snapshot was taken before a turn');
      }
    },
    forget: (session) => records.forget(session),
  };
}

async function sizeOf(git: PrivateGit, signal: AbortSignal): Promise<number> {
  const { output } = await git.runOnContent(['count-objects', '-v'], { signal });
  return Number(/^size: (\d+)$/m.exec(output.toString())?.[1] ?? 0);
}
