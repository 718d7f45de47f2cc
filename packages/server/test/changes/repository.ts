// Repositories for tests, made with git itself, and the changes of a session in them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { createChanges } from '../../src/changes/session-changes.ts';
import { SnapshotRecords } from '../../src/changes/snapshot-records.ts';
import { createTurnSnapshots } from '../../src/changes/turn-snapshots.ts';
import type { Changes } from '../../src/domain/changes.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { createWorkFolders } from '../../src/engines/claude-code/work-folders.ts';

export const session = '00000000-0000-4000-8000-000000000001';
export const never = new AbortController().signal;

export interface Workshop {
  /** The work root. */
  readonly root: string;
  /** Where the session works. */
  readonly folder: string;
  readonly git: (...args: readonly string[]) => string;
  readonly put: (path: string, content: string | Uint8Array) => void;
  readonly changes: Changes;
  /** A session that works in another folder of the work root. */
  readonly sessionIn: (folder: string) => { readonly changes: Changes };
  readonly snapshots: ReturnType<typeof createTurnSnapshots>;
  /** Folders in which a turn runs. */
  readonly working: Set<string>;
  remove(): void;
}

export interface WorkshopOptions {
  /** Where the session works, below the repository. */
  readonly below?: string;
  readonly hidden?: readonly string[];
  readonly isRepository?: boolean;
}

export function openWorkshop(options: WorkshopOptions = {}): Workshop {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-changes-')));
  const root = join(base, 'work');
  const top = join(root, 'project');
  const folder = join(top, options.below ?? '');
  mkdirSync(folder, { recursive: true });
  const git = (...args: readonly string[]) => gitIn(top, ...args);
  if (options.isRepository ?? true) git('init', '--quiet', '--initial-branch=main');
  const folders = createWorkFolders({ roots: [{ path: root }] });
  const records = new SnapshotRecords(join(base, 'data'));
  const hidden = async () => (options.hidden ?? []).map((path) => join(top, path));
  const working = new Set<string>();
  const changesIn = (place: string) =>
    createChanges({
      places: {
        ofSession: async () => ({ root: place, hidden: [], kind: 'work', person: 'sebastian' }),
        ofNotes: () => Promise.reject(new ParleyError('internal', 'no notes here')),
      },
      folders,
      hidden,
      records,
      ownVariables: () => undefined,
      isWorkingIn: async (at) => working.has(at),
    });
  return {
    root,
    folder,
    git,
    put(path, content) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), content);
    },
    changes: changesIn(folder),
    sessionIn: (place) => ({ changes: changesIn(place) }),
    snapshots: createTurnSnapshots({ folders, hidden, records, logger: silentLogger }),
    working,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export function gitIn(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
