// Chooses a folder to work in, from those that the server allows.

import type { WorkFolderList } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Folder, FolderCheck, FolderGit2, FolderUp, History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { get } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Badge, ErrorNote, Skeleton } from '../ui/notes.tsx';
import { foldersPath, keyOf, type WorkPlace } from './work-place.ts';

type WorkFolder = Omit<WorkFolderList['folders'][number], 'git' | 'sandbox'> &
  Partial<Pick<WorkFolderList['folders'][number], 'git'>>;

export function FolderPicker({
  chosen,
  recent,
  onChoose,
}: {
  chosen: WorkPlace | undefined;
  /** Folders used recently, offered first. */
  recent: readonly WorkPlace[];
  onChoose: (place: WorkPlace) => void;
}) {
  const [here, setHere] = useState<WorkPlace>();
  const listing = useQuery({
    queryKey: ['work-folders', here],
    queryFn: ({ signal }) => get<WorkFolderList>(foldersPath(here), signal),
  });
  const { data } = listing;
  // With a single root there is nothing to choose: show its folders.
  const onlyRoot = here === undefined && data?.folders.length === 1 ? data.folders[0] : undefined;
  useEffect(() => {
    if (onlyRoot) setHere(placeOf(onlyRoot));
  }, [onlyRoot]);
  const isChosen = (place: WorkPlace) => chosen !== undefined && keyOf(place) === keyOf(chosen);

  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm text-soft">{t('Folder')}</legend>
      {recent.length > 0 && (
        <div className="mb-2 flex flex-wrap gap-1.5">
          {recent.map((folder) => (
            <button
              key={keyOf(folder)}
              type="button"
              aria-label={t('Recent folder {name}', { name: nameOf(folder) })}
              aria-pressed={isChosen(folder)}
              title={wholeName(folder)}
              onClick={() => onChoose(folder)}
              className={classes(
                'flex min-h-8 max-w-full items-center gap-1.5 rounded-lg border px-2.5 text-xs transition-colors',
                isChosen(folder)
                  ? 'border-accent bg-accent-wash text-accent'
                  : 'border-line text-soft hover:bg-sunken',
              )}
            >
              <History size={13} className="shrink-0" aria-hidden />
              <span className="truncate">{nameOf(folder)}</span>
            </button>
          ))}
        </div>
      )}
      <div className="overflow-hidden rounded-lg border border-line bg-paper">
        <div className="flex min-h-10 items-center gap-2 border-line border-b px-2 text-xs">
          {here && (
            <IconButton
              label={t('Up')}
              className="size-8"
              disabled={data?.path === null}
              onClick={() => setHere(data?.parent ? { ...here, path: data.parent } : undefined)}
            >
              <FolderUp size={16} aria-hidden />
            </IconButton>
          )}
          <span className="min-w-0 flex-1 truncate px-1 font-mono text-soft">
            {here ? wholeName(here) : t('Allowed folders')}
          </span>
        </div>
        <div className="h-36 overflow-y-auto p-1 sm:h-44">
          {listing.isPending && <Skeleton className="m-2 h-8" />}
          {listing.isError && <ErrorNote error={listing.error} onRetry={() => void listing.refetch()} />}
          {here && data?.path === here.path && (
            <Row
              folder={{ name: t('This folder'), path: here.path }}
              isChosen={isChosen(here)}
              onChoose={() => onChoose(here)}
            />
          )}
          {data?.folders.map((folder) => {
            const place = placeOf({ ...here, ...folder });
            return (
              <Row
                key={keyOf(place)}
                folder={folder}
                isChosen={isChosen(place)}
                onChoose={() => onChoose(place)}
                onOpen={() => setHere(place)}
              />
            );
          })}
          {data?.truncated === true && (
            <p className="px-3 py-2 text-faint text-xs">{t('There are more folders.')}</p>
          )}
        </div>
        <p aria-live="polite" className="min-h-9 truncate border-line border-t px-3 py-2 font-mono text-xs">
          {chosen ? wholeName(chosen) : <span className="font-sans text-faint">{t('Choose a folder')}</span>}
        </p>
      </div>
    </fieldset>
  );
}

function Row({
  folder,
  isChosen,
  onChoose,
  onOpen,
}: {
  folder: WorkFolder;
  isChosen: boolean;
  onChoose: () => void;
  onOpen?: () => void;
}) {
  const Icon = isChosen ? FolderCheck : folder.git ? FolderGit2 : Folder;
  return (
    <div className={classes('flex items-center rounded-lg', isChosen ? 'bg-accent-wash' : 'hover:bg-sunken')}>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        onDoubleClick={onOpen}
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2.5 px-2.5 text-left text-sm"
      >
        <Icon size={17} className={isChosen ? 'shrink-0 text-accent' : 'shrink-0 text-faint'} aria-hidden />
        <span className="truncate">{folder.name}</span>
        {folder.git && folder.git.branch !== null && (
          <span className="truncate font-mono text-faint text-xs">{folder.git.branch}</span>
        )}
        {folder.machine !== undefined && <Badge>{folder.machine}</Badge>}
        {folder.git?.dirty === true && <Badge tone="warn">{t('changes')}</Badge>}
      </button>
      {onOpen && (
        <IconButton label={t('Open {name}', { name: folder.name })} className="size-8" onClick={onOpen}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function nameOf({ path, machine }: WorkPlace): string {
  const name = path.split('/').at(-1) ?? path;
  return machine === undefined ? name : `${name} · ${machine}`;
}

function wholeName({ path, machine }: WorkPlace): string {
  return machine === undefined ? path : `${machine}: ${path}`;
}

function placeOf({ path, machine }: Pick<WorkFolder, 'path' | 'machine'>): WorkPlace {
  return { path, ...(machine !== undefined && { machine }) };
}
