// The page for addresses that don't exist.
import { Compass } from 'lucide-react';
import { Link } from 'wouter';
import { t } from '../i18n/translate.ts';
import { Empty } from '../ui/notes.tsx';
import { usePageTitle } from './page-title.ts';

export function NothingHere() {
  usePageTitle(t('Page not found'));
  return (
    <main className="grid h-full place-items-center">
      <h1 className="sr-only">{t('Page not found')}</h1>
      <Empty icon={<Compass size={22} aria-hidden />} title={t('There is nothing at this address')}>
        <Link href="/" className="text-accent underline">
          {t('Start a new conversation')}
        </Link>
      </Empty>
    </main>
  );
}
