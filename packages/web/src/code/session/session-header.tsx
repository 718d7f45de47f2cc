// The head of a session: what it is called, where it works, how it answers, and what can be done with it.
import type { CodeModel, CodeSessionView } from '@parley/protocol';
import { ArrowLeft, Check, ChevronDown, FolderGit2, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useHere } from '../../app/me.tsx';
import { usePageTitle } from '../../app/page-title.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { titleOf } from '../list/title.ts';
import { chosenModel, modes, nameOfMode, nameOfModel, usualModels } from './choices.ts';
import { SessionActions } from './session-actions.tsx';

export function SessionHeader({
  session,
  model,
  models = usualModels,
  permissionMode,
  meter,
  onModel,
  onMode,
}: {
  session: CodeSessionView;
  model: string | undefined;
  models: readonly CodeModel[] | undefined;
  permissionMode: string | undefined;
  meter: ReactNode;
  onModel: (model: string) => void;
  onMode: (mode: string) => void;
}) {
  const [, go] = useLocation();
  const { terminal } = useHere();
  usePageTitle(titleOf(session));
  const modelName = nameOfModel(model, models);
  const chosen = chosenModel(model, models);
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b bg-raised px-2 py-2 sm:px-4">
      <BackToSessions />
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold text-[0.95rem]">{titleOf(session)}</h1>
        <Place session={session} />
      </div>
      <div className="order-last flex basis-full items-center gap-1 pl-9 md:-ml-2 md:pl-0 lg:order-none lg:basis-auto">
        <Choice label={`Model: ${modelName}`} shown={modelName}>
          <MenuLabel>Model</MenuLabel>
          {models.map((choice) => (
            <MenuItem key={choice.value} onSelect={() => onModel(choice.value)}>
              <Mark isOn={choice === chosen} />
              <span>
                {choice.displayName}
                <span className="block max-w-64 text-faint text-xs">{choice.description}</span>
              </span>
            </MenuItem>
          ))}
        </Choice>
        <Choice label={`Permission mode: ${nameOfMode(permissionMode)}`} shown={nameOfMode(permissionMode)}>
          <MenuLabel>Permission mode</MenuLabel>
          {modes.map(({ mode, name, meaning }) => (
            <MenuItem key={mode} onSelect={() => onMode(mode)}>
              <Mark isOn={(permissionMode ?? 'default') === mode} />
              <span>
                {name}
                <span className="block text-faint text-xs">{meaning}</span>
              </span>
            </MenuItem>
          ))}
        </Choice>
        <span className="ml-auto pr-2 lg:order-first lg:ml-0">{meter}</span>
      </div>
      <div className="flex items-center gap-1">
        {terminal && (
          <IconButton label="Open in the terminal" onClick={() => go(`/code/${session.id}/terminal`)}>
            <SquareTerminal size={18} aria-hidden />
          </IconButton>
        )}
        <SessionActions session={session} />
      </div>
    </header>
  );
}

/** Where the list is not beside the page. */
export function BackToSessions() {
  return (
    <Link
      href="/code"
      aria-label="All sessions"
      className="grid size-9 place-items-center rounded-lg text-soft hover:bg-sunken md:hidden"
    >
      <ArrowLeft size={18} aria-hidden />
    </Link>
  );
}

export function Place({ session }: { session: CodeSessionView }) {
  return (
    <p className="flex items-center gap-1.5 truncate text-faint text-xs" title={session.workingDir}>
      <FolderGit2 size={13} className="shrink-0" aria-hidden />
      <span className="truncate">{session.workingDir.split('/').at(-1)}</span>
      {session.gitBranch !== undefined && session.gitBranch !== 'HEAD' && (
        <span className="truncate font-mono">{session.gitBranch}</span>
      )}
    </p>
  );
}

function Choice({ label, shown, children }: { label: string; shown: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={label}
          className="flex h-9 items-center gap-1 rounded-lg px-2 text-sm text-soft hover:bg-sunken hover:text-ink"
        >
          <span className="max-w-24 truncate sm:max-w-36">{shown}</span>
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      {children}
    </Menu>
  );
}

function Mark({ isOn }: { isOn: boolean }) {
  return <Check size={15} aria-hidden className={isOn ? 'shrink-0 text-accent' : 'shrink-0 opacity-0'} />;
}
