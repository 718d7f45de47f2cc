// The card on the start page that leads to the first steps, until somebody has finished or skipped them.
import { Rocket } from 'lucide-react';
import { Link } from 'wouter';
import { useHere } from '../app/me.tsx';
import { t } from '../i18n/translate.ts';
import { Button, buttonLook } from '../ui/button.tsx';
import { useEndFirstSteps } from './end-first-steps.ts';

export function FirstStepsCard() {
  const { demo, account } = useHere();
  const end = useEndFirstSteps();
  const isBegun = !demo || account;
  return (
    <section
      aria-labelledby="first-steps"
      className="mt-8 flex flex-wrap items-center gap-3 rounded-card border border-accent bg-accent-wash p-4"
    >
      <Rocket size={20} className="shrink-0 text-accent" aria-hidden />
      <div className="min-w-0 flex-1 basis-52">
        <h2 id="first-steps" className="font-medium text-sm">
          {isBegun ? t('Finish setting up Parley') : t('Set up Parley in three steps')}
        </h2>
        <p className="mt-0.5 text-sm text-soft leading-snug">
          {t('Connect Claude, invite people, and choose a folder. It takes a few minutes.')}
        </p>
      </div>
      <div className="ml-auto flex gap-2">
        <Button look="quiet" disabled={end.isPending} onClick={() => end.mutate()}>
          {t('Skip')}
        </Button>
        <Link href="/setup" className={buttonLook('primary')}>
          {isBegun ? t('Continue') : t('Set up')}
        </Link>
      </div>
    </section>
  );
}
