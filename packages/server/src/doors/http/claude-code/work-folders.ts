// The folders in which Claude Code may work, for a picker.
import type { WorkFolderList } from '@parley/protocol';
import type { FolderListing, WorkFolders } from '../../../domain/work-folders.ts';
import type { App } from '../app.ts';
import * as schemas from './schemas.ts';

export function workFolderRoutes(app: App, folders: WorkFolders): void {
  app.get('/api/work-folders', { schema: schemas.workFolders }, async ({ person, query }) =>
    toList(await folders.listDirectories(person, query.path)),
  );
}

function toList({ path, parent, folders, isCut }: FolderListing): WorkFolderList {
  return {
    path: path ?? null,
    parent: parent ?? null,
    folders: folders.map(({ name, path: place, git }) => ({
      name,
      path: place,
      git: git ? { branch: git.branch ?? null, dirty: git.isDirty ?? null } : null,
    })),
    truncated: isCut,
  };
}
