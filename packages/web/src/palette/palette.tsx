// The search field and its results in groups. The selected result stays selected while more arrive.
import {
  BookOpen,
  File,
  History,
  MessageCircle,
  Quote,
  Search,
  Settings,
  SquareTerminal,
  Zap,
} from 'lucide-react';
import { type ComponentType, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { type Command, shownCommands } from '../app/commands.ts';
import { Keys } from '../app/keys.tsx';
import { useHere } from '../app/me.tsx';
import { t } from '../i18n/translate.ts';
import { visibleSections } from '../settings/section-names.ts';
import { nextOption, OptionList, optionId } from '../ui/option-list.tsx';
import { bestMatches } from './match.ts';
import type { Entry, SourceName } from './sources.ts';
import { useFound } from './use-found.ts';

interface Shown extends Omit<Entry, 'to'> {
  readonly kind: Kind;
  readonly keys?: Command['keys'];
  readonly run: () => void;
}

type Kind = SourceName | 'commands' | 'settings';
type Icon = ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>;

/** In display order. What needs no server comes first, so that nothing moves away under the cursor. */
const kinds: Readonly<Record<Kind, { readonly name: () => string; readonly icon: Icon }>> = {
  recent: { name: () => t('Recent'), icon: History },
  commands: { name: () => t('Commands'), icon: Zap },
  settings: { name: () => t('Settings'), icon: Settings },
  conversations: { name: () => t('Conversations'), icon: MessageCircle },
  sessions: { name: () => t('Claude Code sessions'), icon: SquareTerminal },
  recipes: { name: () => t('Recipes'), icon: BookOpen },
  files: { name: () => t('Files'), icon: File },
  messages: { name: () => t('Messages'), icon: Quote },
};
const order = Object.keys(kinds) as readonly Kind[];
const maxCommands = 6;

export function Palette({ onChoose }: { onChoose: (run: () => void) => void }) {
  const [, go] = useLocation();
  const { rights } = useHere();
  const [text, setText] = useState('');
  const [chosenKey, setChosenKey] = useState<string>();
  const query = text.trim();
  const listId = useId();
  const commands = useSyncExternalStore(shownCommands.subscribe, shownCommands.snapshot);
  const { found, isSearching } = useFound(query);
  const shown = useMemo(() => {
    const fitting = query === '' ? commands : bestMatches(commands, ({ name }) => name, query);
    const sections = query === '' ? [] : bestMatches(visibleSections(rights), ({ name }) => name(), query);
    const entries: Readonly<Partial<Record<Kind, readonly Shown[]>>> = {
      commands: fitting
        .slice(0, query === '' ? undefined : maxCommands)
        .map((command) => ({ ...command, key: `command ${command.name}`, kind: 'commands' })),
      settings: sections.map(({ path, name }) => ({
        key: `settings ${path}`,
        name: name(),
        kind: 'settings',
        run: () => go(`/settings/${path}`),
      })),
    };
    return order.flatMap<Shown>(
      (kind) =>
        entries[kind] ??
        (found[kind as SourceName] ?? []).map(({ to, ...entry }) => ({ ...entry, kind, run: () => go(to) })),
    );
  }, [commands, found, query, rights, go]);
  const at = Math.max(
    0,
    shown.findIndex(({ key }) => key === chosenKey),
  );
  const take = (entry: Shown | undefined) => entry && onChoose(entry.run);

  return (
    <div>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-paper px-3 focus-within:border-accent">
        <Search size={16} className="text-faint" aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={shown[at] && optionId(listId, at)}
          aria-label={t('Search everything')}
          placeholder={t('Search everything')}
          value={text}
          maxLength={200}
          onChange={({ target }) => {
            setText(target.value);
            setChosenKey(undefined);
          }}
          onKeyDown={(event) => {
            const next = nextOption(event.key, at, shown.length);
            if (next !== undefined) setChosenKey(shown[next]?.key);
            else if (event.key === 'Enter') take(shown[at]);
            else return;
            event.preventDefault();
          }}
          className="h-10 w-full bg-transparent text-sm outline-none placeholder:text-faint pointer-coarse:text-base"
        />
      </div>
      <OptionList
        id={listId}
        label={t('Results')}
        options={shown}
        groupOf={({ kind }) => kinds[kind].name()}
        chosen={at}
        onChoose={(index) => setChosenKey(shown[index]?.key)}
        onTake={take}
        className="mt-3 max-h-[50vh]"
      >
        {(entry) => <EntryView {...entry} />}
      </OptionList>
      {shown.length === 0 && (
        <p role="status" className="px-3 py-6 text-center text-faint text-sm">
          {isSearching ? t('Searching') : t('Nothing found')}
        </p>
      )}
    </div>
  );
}

function EntryView({ name, detail, kind, keys }: Shown) {
  const { icon: Icon } = kinds[kind];
  return (
    <>
      <span className="flex min-w-0 flex-1 items-center gap-3">
        <Icon size={15} className="shrink-0 text-faint" aria-hidden />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate">
            {name}
          </span>
          {detail !== undefined && <span className="block truncate text-faint text-xs">{detail}</span>}
        </span>
      </span>
      {keys !== undefined && <Keys of={keys} />}
    </>
  );
}
