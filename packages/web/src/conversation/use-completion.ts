// Completes the slash command at the start of a message, or a file after an `@`: finds the options, keeps track of the
// selected one, and handles the keys.
import type { FileMatch, OfferedCommand } from '@parley/protocol';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { nextOption } from '../ui/option-list.tsx';

/** Finds files and folders for what is written after an `@`. */
export interface FileFinder {
  /** Whose files they are. */
  readonly id: string;
  readonly find: (query: string, signal: AbortSignal) => Promise<readonly FileMatch[]>;
}

export type Option = OfferedCommand | FileMatch;

export interface Completion {
  /** Empty while there is nothing to complete. */
  readonly found: readonly Option[];
  readonly chosen: number;
  readonly choose: (at: number) => void;
  readonly take: (option: Option) => void;
  /** The person changed the text, or moved to another place in it. */
  readonly onWritten: (text: string, caret: number) => void;
  /** True if the list handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly close: () => void;
}

export function useCompletion(
  text: string,
  commands: readonly OfferedCommand[],
  files: FileFinder | undefined,
  write: (text: string) => void,
): Completion {
  const [chosen, choose] = useState(0);
  const [caret, setCaret] = useState(0);
  /** The text at which the list was closed. It stays closed while more is written after it. */
  const [closedAt, setClosedAt] = useState<string>();
  const mention = files && closedAt === undefined ? mentionAt(text, caret) : undefined;
  const paths = useFoundFiles(files, mention?.query);
  const found: readonly Option[] =
    closedAt !== undefined ? [] : mention ? paths : commandsFor(text, commands);

  const take = (option: Option) => {
    choose(0);
    if ('name' in option) return write(`/${option.name} `);
    const start = text.slice(0, mention?.start ?? text.length);
    const before = `${start}${mentionOf(option)}`;
    setCaret(before.length);
    return write(before + text.slice(caret));
  };
  const close = () => setClosedAt(text);
  const onWritten = (written: string, at: number) => {
    choose(0);
    setCaret(at);
    if (closedAt !== undefined && (closedAt === '' || !written.startsWith(closedAt))) setClosedAt(undefined);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const option = found[chosen];
    if (!option || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const next = nextOption(event.key, chosen, found.length);
    if (next !== undefined) choose(next);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') take(option);
    // A complete name is sent instead.
    else if (event.key === 'Enter' && !('name' in option && text === `/${option.name}`)) take(option);
    else return false;
    event.preventDefault();
    return true;
  };
  return { found, chosen, choose, take, onWritten, onKey, close };
}

/** Commands that the text may be about to name: first those that start with it, then those that contain it. */
export function commandsFor(text: string, commands: readonly OfferedCommand[]): readonly OfferedCommand[] {
  if (!/^\/\S*$/.test(text)) return [];
  const wanted = text.slice(1).toLowerCase();
  const found = commands.filter(({ name }) => name.toLowerCase().includes(wanted));
  const isFirst = ({ name }: OfferedCommand) => name.toLowerCase().startsWith(wanted);
  return [...found.filter(isFirst), ...found.filter((command) => !isFirst(command))];
}

/** What is written after an `@` before the caret. An address such as `me@example.org` doesn't name a file. */
export function mentionAt(text: string, caret: number): { start: number; query: string } | undefined {
  const found = /(?:^|\s)@("[^"\n]*|[^\s@"]*)$/.exec(text.slice(0, caret));
  if (!found) return undefined;
  const [, query = ''] = found;
  return { start: caret - query.length - 1, query: query.replace('"', '') };
}

/** In the form that the program reads. After a folder, people can go on typing. */
export function mentionOf({ path, folder = false }: FileMatch): string {
  if (/[\s@]/.test(path)) return folder ? `@"${path}/` : `@"${path}" `;
  return folder ? `@${path}/` : `@${path} `;
}

const nothing: readonly FileMatch[] = [];

function useFoundFiles(files: FileFinder | undefined, query: string | undefined): readonly FileMatch[] {
  const { data } = useQuery({
    queryKey: ['mentioned-files', files?.id, query],
    queryFn: ({ signal }) => files?.find(query ?? '', signal) ?? nothing,
    enabled: files !== undefined && query !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  return query === undefined ? nothing : (data ?? nothing);
}
