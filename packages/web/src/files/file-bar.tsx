// The bar above one file: back, its name and folder, and what can be done with it.
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { nameOf, parentOf } from './tree-model.ts';
import { visibleName } from './visible-name.ts';

export function FileBar({
  path,
  detail,
  back,
  onBack,
  children,
}: {
  path: string;
  /** Shown after the folder. */
  detail?: string | undefined;
  /** The name of what is shown without a file. */
  back: string;
  onBack: () => void;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-0.5 border-line border-b px-2">
      <IconButton label={back} onClick={onBack}>
        <ArrowLeft size={17} aria-hidden />
      </IconButton>
      <div className="min-w-0 flex-1 px-1">
        <h2 className="truncate font-medium text-sm" title={visibleName(path)}>
          <bdi>{visibleName(nameOf(path))}</bdi>
        </h2>
        <p className="truncate text-faint text-xs">
          <bdi>{visibleName(parentOf(path))}</bdi>
          {detail !== undefined && ` ${detail}`}
        </p>
      </div>
      {children}
    </div>
  );
}
