// A part of a page with a title.
import { type ReactNode, useId } from 'react';

export function Card({
  title,
  hint,
  action,
  children,
}: {
  title: string;
  /** A sentence below the title. */
  hint?: ReactNode;
  /** A button next to the title. */
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-card border border-line bg-raised p-5">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id={id} className="font-semibold text-soft text-sm">
            {title}
          </h2>
          {hint !== undefined && <p className="mt-1 text-faint text-sm leading-relaxed">{hint}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
