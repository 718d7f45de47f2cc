// Chooses the whole conversation, or some of its messages with their answers.
import type { ShownTurn } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { client } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { ErrorNote } from '../ui/notes.tsx';

/** `chosen` is undefined for the whole conversation. */
export function WhichTurns({
  session,
  chosen,
  onChange,
}: {
  session: string;
  chosen: ReadonlySet<string> | undefined;
  onChange: (chosen: ReadonlySet<string> | undefined) => void;
}) {
  const details = useQuery({
    queryKey: ['export', session],
    queryFn: ({ signal }) => client.sessions.get(session, signal),
    enabled: chosen !== undefined,
  });
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-soft text-sm">{t('Include')}</legend>
      <Choice isChosen={!chosen} onChoose={() => onChange(undefined)}>
        {t('The whole conversation')}
      </Choice>
      <Choice isChosen={chosen !== undefined} onChoose={() => onChange(new Set())}>
        {t('Selected messages and their answers')}
      </Choice>
      {chosen && details.isError && <ErrorNote error={details.error} />}
      {chosen && details.data && (
        <TurnChoice turns={details.data.turns} chosen={chosen} onChange={onChange} />
      )}
    </fieldset>
  );
}

export function Choice({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: () => void;
  children: string;
}) {
  return (
    <label className="flex min-h-8 items-center gap-2">
      <input type="radio" checked={isChosen} onChange={onChoose} className="size-4 accent-accent" />
      {children}
    </label>
  );
}

function TurnChoice({
  turns,
  chosen,
  onChange,
}: {
  turns: readonly ShownTurn[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const id = useId();
  const toggle = (turn: string) => {
    const next = new Set(chosen);
    if (!next.delete(turn)) next.add(turn);
    onChange(next);
  };
  return (
    <ul className="grid max-h-60 gap-1 overflow-y-auto rounded-lg border border-line p-2">
      {turns.map((turn) => (
        <li key={turn.id} className="flex min-h-9 items-center gap-2 text-sm">
          <input
            id={`${id}${turn.id}`}
            type="checkbox"
            checked={chosen.has(turn.id)}
            onChange={() => toggle(turn.id)}
            className="size-4 shrink-0 accent-accent"
          />
          <label htmlFor={`${id}${turn.id}`} dir="auto" className="min-w-0 flex-1 truncate">
            {turn.prompt.text || turn.prompt.files?.[0]?.name || t('Picture')}
          </label>
        </li>
      ))}
    </ul>
  );
}
