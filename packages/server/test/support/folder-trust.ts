// Trusted folders for tests, stored below a temporary folder in which `home` is the program home.
import { join } from 'node:path';
import type { FolderTrust } from '../../src/domain/folder-trust.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import type { WorkFolders } from '../../src/domain/work-folders.ts';
import { createFolderTrust } from '../../src/engines/claude-code/trust/folder-trust.ts';

export function trustBelow(root: string, folders: Pick<WorkFolders, 'check'>): FolderTrust {
  return createFolderTrust({
    folders,
    file: join(root, 'trusted-folders.json'),
    ownFolder: async () => join(root, 'home', '.claude'),
    clock: { now: () => Date.now() },
    logger: silentLogger,
  });
}
