// The logo, and the banner of demo mode.
import type { ReactNode } from 'react';
import { Trans } from '../i18n/trans.tsx';
import { t } from '../i18n/translate.ts';

export function Mark({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path
        d="M8 9.5h11a3 3 0 0 1 3 3v3a3 3 0 0 1-3 3h-6l-4 3.6v-3.6H8z"
        className="fill-on-accent"
        opacity="0.95"
      />
      <circle cx="23.5" cy="22.5" r="3" className="fill-on-accent" opacity="0.75" />
    </svg>
  );
}

export function DemoBanner({ children }: { children?: ReactNode }) {
  return (
    <aside
      aria-label={t('Demo')}
      className="bg-warn-wash px-4 py-1.5 text-center text-warn text-xs print:hidden"
    >
      <Trans
        message="<strong>Demo.</strong> The answers are scripted, and the notes and recipes are made up."
        tags={{ strong: <strong className="font-semibold" /> }}
      />{' '}
      {children}
    </aside>
  );
}
