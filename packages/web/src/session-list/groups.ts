// Groups sessions by the day of their last message, or by project.
import { i18n, t } from '../i18n/translate.ts';
import type { SessionGroup } from './session-list.tsx';

/** Keeps the order: newest first. */
export function byDay<T extends { readonly updatedAt: number | string }>(
  items: readonly T[],
  now: number,
): readonly SessionGroup<T>[] {
  return grouped(items, ({ updatedAt }) => dayOf(new Date(updatedAt).getTime(), now));
}

/** The project that was used last comes first. */
export function byProject<T extends { readonly workingDir: string }>(
  items: readonly T[],
): readonly SessionGroup<T>[] {
  const projects = new Set(items.map(({ workingDir }) => workingDir));
  return grouped(items, ({ workingDir }) => shortName(workingDir, [...projects]));
}

/** Pinned sessions come first, and are left out of the other groups. */
export function withPinned<T extends { readonly id: string }>(
  pinned: readonly T[],
  groups: readonly SessionGroup<T>[],
): readonly SessionGroup<T>[] {
  const ids = new Set(pinned.map(({ id }) => id));
  const others = groups.map(({ items, ...group }) => ({
    ...group,
    items: items.filter(({ id }) => !ids.has(id)),
  }));
  return [{ heading: t('Pinned'), items: pinned }, ...others];
}

/** The folder, with its parent where two projects have the same name. */
export function shortName(project: string, projects: readonly string[]): string {
  const name = lastOf(project, 1);
  return projects.some((other) => other !== project && lastOf(other, 1) === name) ? lastOf(project, 2) : name;
}

function lastOf(path: string, count: number): string {
  return path.split('/').slice(-count).join('/');
}

function grouped<T>(items: readonly T[], headingOf: (item: T) => string): readonly SessionGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const heading = headingOf(item);
    const group = groups.get(heading);
    if (group) group.push(item);
    else groups.set(heading, [item]);
  }
  return [...groups].map(([heading, members]) => ({ heading, items: members }));
}

function dayOf(at: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.round((today - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days <= 0) return t('Today');
  if (days === 1) return t('Yesterday');
  if (days < 7) return t('Last 7 days');
  if (days < 31) return t('Last 30 days');
  return i18n.date(new Date(at), { month: 'long', year: 'numeric' });
}
