// A folder to work in. If there are several machines, the same path can exist on each.

export interface WorkPlace {
  readonly path: string;
  readonly machine?: string;
}

export function keyOf({ path, machine = '' }: WorkPlace): string {
  return `${machine}:${path}`;
}

/** The address that lists what is in a folder, or the folders to choose from. */
export function foldersPath(place: WorkPlace | undefined): string {
  return place ? `/api/work-folders?${new URLSearchParams({ ...place })}` : '/api/work-folders';
}
