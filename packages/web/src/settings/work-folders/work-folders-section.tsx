// Where Claude Code may work, what keeps it there, and which folders are trusted.

import { WithSettings } from '../form/parts.tsx';
import { TrustedFolders } from './trusted-folders.tsx';
import { WorkRoots } from './work-roots.tsx';

export function WorkFoldersSection() {
  return (
    <>
      <WithSettings keys={['workRoots']}>{(view) => <WorkRoots view={view} />}</WithSettings>
      <TrustedFolders />
    </>
  );
}
