// The settings: a list of sections, and the one that is open. On phones the list is a page of its own.
import { ArrowLeft, ChevronRight } from 'lucide-react';
import { Link, useLocation, useParams } from 'wouter';
import { useHere } from '../app/me.tsx';
import { NothingHere } from '../app/nothing-here.tsx';
import { usePageTitle } from '../app/page-title.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { type Section, sections } from './sections.tsx';

export function SettingsPage() {
  const { rights } = useHere();
  const { '*': path = '' } = useParams();
  const visible = sections.filter(({ right }) => right === undefined || rights.includes(right));
  const open = visible.find((section) => section.path === path.replace(/\/$/, ''));
  const shown = open ?? visible[0];
  usePageTitle(shown && open ? `${shown.name()} · ${t('Settings')}` : t('Settings'));
  if (!shown || (path !== '' && !open)) return <NothingHere />;
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-5xl items-start gap-5 p-4 sm:p-8 md:grid-cols-[13rem_1fr] md:gap-8">
        <SectionList sections={visible} shown={shown} isOpen={open !== undefined} />
        <div className={classes('grid min-w-0 gap-5', !open && 'max-md:hidden')}>
          <div className="flex items-center gap-2">
            <Link
              href="/settings"
              aria-label={t('All settings')}
              className="-ml-2 grid size-10 place-items-center rounded-lg text-soft hover:bg-sunken hover:text-ink md:hidden"
            >
              <ArrowLeft size={18} aria-hidden />
            </Link>
            <h1 className="font-semibold text-2xl tracking-tight">{shown.name()}</h1>
          </div>
          <shown.Part key={shown.path} />
        </div>
      </div>
    </main>
  );
}

function SectionList({
  sections: listed,
  shown,
  isOpen,
}: {
  sections: readonly Section[];
  shown: Section;
  /** Whether the person has opened a section. Phones then show only that one. */
  isOpen: boolean;
}) {
  const [at] = useLocation();
  return (
    <nav
      aria-label={t('Settings')}
      className={classes('min-w-0 md:sticky md:top-8', isOpen && 'max-md:hidden')}
    >
      <p className="mb-3 px-3 font-semibold text-2xl tracking-tight md:text-base md:text-soft">
        {t('Settings')}
      </p>
      <ul className="grid gap-0.5">
        {listed.map((section) => (
          <li key={section.path}>
            <Link
              href={`/settings/${section.path}`}
              aria-current={at.startsWith(`/settings/${section.path}`) ? 'page' : undefined}
              className={classes(
                'flex min-h-11 items-center gap-3 rounded-lg px-3 text-sm md:min-h-9',
                section === shown
                  ? 'md:bg-accent-wash md:font-medium md:text-accent'
                  : 'text-soft hover:bg-sunken hover:text-ink',
              )}
            >
              <section.icon size={17} aria-hidden />
              <span className="min-w-0 flex-1 truncate">{section.name()}</span>
              <ChevronRight size={16} aria-hidden className="text-faint md:hidden" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
