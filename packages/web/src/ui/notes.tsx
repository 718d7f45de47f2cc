// Small status elements: a badge, a spinner, a skeleton, an empty page, an error.
import { CircleAlert, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { errorText } from '../i18n/error-text.ts';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';

type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'danger';

const tones: Record<Tone, string> = {
  plain: 'bg-sunken text-soft',
  accent: 'bg-accent-wash text-accent',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  danger: 'bg-danger-wash text-danger',
};

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex max-w-full items-center gap-1 rounded-full px-2 py-0.5 font-medium text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

export function Spinner({ label }: { label: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-2 text-soft text-sm">
      <LoaderCircle size={16} className="animate-spin" aria-hidden />
      {label}
    </span>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('animate-pulse rounded-lg bg-sunken', className)} />;
}

export function Empty({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      <div className="grid size-12 place-items-center rounded-2xl bg-accent-wash text-accent">{icon}</div>
      <h2 className="font-semibold text-lg">{title}</h2>
      {children !== undefined && <div className="text-soft text-sm leading-relaxed">{children}</div>}
    </div>
  );
}

export function ErrorNote({
  error,
  onRetry,
  children,
}: {
  error: unknown;
  onRetry?: () => void;
  /** Other ways out. */
  children?: ReactNode;
}) {
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-card border border-danger/30 bg-danger-wash p-3 text-danger text-sm"
    >
      <p className="flex min-w-0 flex-1 gap-3 self-center break-words">
        <CircleAlert size={18} className="mt-px shrink-0" aria-hidden />
        <span className="min-w-0">{errorText(error)}</span>
      </p>
      {onRetry && (
        <Button look="danger" className="min-h-8" onClick={onRetry}>
          {t('Retry')}
        </Button>
      )}
      {children}
      {isAboutBudgets(error) && (
        <Link
          href="/settings/budgets"
          className="shrink-0 self-center font-medium underline underline-offset-2"
        >
          {t('Budgets')}
        </Link>
      )}
    </div>
  );
}

/** On the page of the budgets, everybody sees what is left, and owners can raise it. */
function isAboutBudgets(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return code === 'over_budget' || code === 'storage_full';
}
