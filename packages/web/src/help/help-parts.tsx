// Shows the part of the help that is open. Only the list of shortcuts is loaded with the page.
import { Suspense } from 'react';
import { ShortcutList } from '../app/keys.tsx';
import { preloadable } from '../ui/preloadable.tsx';
import { closeHelp, useOpenHelp } from './help.ts';

const tour = preloadable(async () => (await import('./tour.tsx')).Tour);
const report = preloadable(async () => (await import('./report-dialog.tsx')).ReportDialog);

export function HelpParts() {
  const open = useOpenHelp();
  return (
    <>
      <ShortcutList open={open === 'keys'} onOpenChange={closeHelp} />
      <Suspense fallback={null}>
        {open === 'tour' && <tour.Part />}
        {open === 'report' && <report.Part />}
      </Suspense>
    </>
  );
}
