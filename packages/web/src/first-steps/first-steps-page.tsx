// The first steps: one at a time, each with its own address, in any order once the demo is over.
import { Check } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link, Redirect, useLocation, useParams } from 'wouter';
import { type Here, useHere } from '../app/me.tsx';
import { NothingHere } from '../app/nothing-here.tsx';
import { usePageTitle } from '../app/page-title.ts';
import { openHelp } from '../help/help.ts';
import { t } from '../i18n/translate.ts';
import { Button, buttonLook } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { ClaudeStep } from './claude-step.tsx';
import { useEndFirstSteps } from './end-first-steps.ts';
import { FolderStep } from './folder-step.tsx';
import { PeopleStep } from './people-step.tsx';

interface Step {
  readonly path: string;
  readonly name: () => string;
  readonly Part: ComponentType;
  readonly isDone: (here: Here) => boolean;
}

const steps: readonly [Step, ...Step[]] = [
  { path: 'claude', name: () => t('Connect Claude'), Part: ClaudeStep, isDone: ({ demo }) => !demo },
  { path: 'people', name: () => t('People'), Part: PeopleStep, isDone: ({ account }) => account },
  { path: 'folder', name: () => t('Folders and notes'), Part: FolderStep, isDone: () => false },
];

export function FirstStepsPage() {
  const here = useHere();
  const { '*': path = '' } = useParams();
  usePageTitle(t('Set up Parley'));
  if (!here.rights.includes('settings')) return <NothingHere />;
  const next = steps.find(({ isDone }) => !isDone(here)) ?? steps[0];
  const at = steps.findIndex((step) => step.path === path);
  const step = steps[at];
  // Whatever is set up in the demo is lost when it ends.
  if (!step || (here.demo && at > 0)) return <Redirect to={`/setup/${next.path}`} replace />;
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-2xl gap-6 p-4 sm:p-8">
        <h1 className="font-semibold text-2xl tracking-tight">{t('Set up Parley')}</h1>
        <StepList current={at} />
        <h2 className="sr-only">{step.name()}</h2>
        <div className="grid min-w-0 gap-5">
          <step.Part />
        </div>
        {!here.demo && <StepButtons at={at} />}
      </div>
    </main>
  );
}

function StepList({ current }: { current: number }) {
  const here = useHere();
  return (
    <nav aria-label={t('Setup steps')}>
      <ol className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        {steps.map((step, at) => {
          const isCurrent = at === current;
          const isDone = step.isDone(here);
          const look = classes(
            'flex items-center gap-2 py-1',
            isCurrent ? 'font-medium text-ink' : 'text-soft',
          );
          const content = (
            <>
              <span
                aria-hidden
                className={classes(
                  'grid size-6 place-items-center rounded-full font-medium text-xs',
                  isCurrent ? 'bg-accent text-on-accent' : 'bg-sunken text-soft',
                )}
              >
                {isDone ? <Check size={14} /> : at + 1}
              </span>
              {step.name()}
              {isDone && <span className="sr-only">{t('(done)')}</span>}
            </>
          );
          return (
            <li key={step.path} aria-current={isCurrent ? 'step' : undefined}>
              {isCurrent || here.demo ? (
                <span className={look}>{content}</span>
              ) : (
                <Link href={`/setup/${step.path}`} className={classes(look, 'hover:text-ink')}>
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function StepButtons({ at }: { at: number }) {
  const [, go] = useLocation();
  const end = useEndFirstSteps();
  const before = steps[at - 1];
  const after = steps[at + 1];
  const finish = () => end.mutate(undefined, { onSuccess: () => go('/') });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {before && (
        <Link href={`/setup/${before.path}`} className={buttonLook('quiet')}>
          {t('Back')}
        </Link>
      )}
      <span className="flex-1" />
      {after && (
        <>
          <Button look="quiet" disabled={end.isPending} onClick={finish}>
            {t('Skip the rest')}
          </Button>
          <Link href={`/setup/${after.path}`} className={buttonLook('primary')}>
            {t('Continue')}
          </Link>
        </>
      )}
      {!after && (
        <>
          <Button
            disabled={end.isPending}
            onClick={() => {
              finish();
              openHelp('tour');
            }}
          >
            {t('Done, show me around')}
          </Button>
          <Button look="primary" disabled={end.isPending} onClick={finish}>
            {t('Done')}
          </Button>
        </>
      )}
    </div>
  );
}
