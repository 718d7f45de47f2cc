// Loads the panel when it is first opened.
import { type ComponentProps, Suspense } from 'react';
import { t } from '../i18n/translate.ts';
import { Spinner } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';

const panel = preloadable(async () => (await import('./files-panel.tsx')).FilesPanel);

export function FilesNextTo(props: ComponentProps<typeof panel.Part>) {
  return (
    <Suspense fallback={<PanelOpening />}>
      <panel.Part {...props} />
    </Suspense>
  );
}

function PanelOpening() {
  return (
    <div className="absolute inset-0 z-30 grid place-items-center bg-raised md:relative md:inset-auto md:w-[22rem]">
      <Spinner label={t('Loading files')} />
    </div>
  );
}
