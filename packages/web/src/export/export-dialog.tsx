// Saves a conversation as Markdown, HTML or JSON, or prints it: all of it, or some of its messages.
import type { ShownTurn } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { useId, useState } from 'react';
import { client, personalAddress } from '../client.ts';
import { i18n, t } from '../i18n/translate.ts';
import { Button, buttonLook } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Refusal } from '../ui/notes.tsx';

export function ExportDialog({
  session,
  open,
  onClose,
}: {
  session: string;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('Export')}>
      <ExportForm session={session} />
    </Dialog>
  );
}

const formats = {
  md: () => t('Markdown'),
  html: () => t('Web page'),
  json: () => t('JSON'),
};
type Format = keyof typeof formats;

function ExportForm({ session }: { session: string }) {
  const [format, setFormat] = useState<Format>('md');
  const [isPart, setPart] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const details = useQuery({
    queryKey: ['export', session],
    queryFn: ({ signal }) => client.sessions.get(session, signal),
    enabled: isPart,
  });
  const isEmpty = isPart && chosen.size === 0;
  const address = (wanted: Format, show = false) => {
    const query = new URLSearchParams({
      format: wanted,
      language: i18n.locale.startsWith('de') ? 'de' : 'en',
      ...(isPart && { turns: [...chosen].join(',') }),
      ...(show && { show: 'true' }),
    });
    return personalAddress(`/api/sessions/${session}/export?${query}`);
  };
  return (
    <div className="grid gap-5">
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-soft text-sm">{t('Format')}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {(Object.keys(formats) as Format[]).map((name) => (
            <Choice key={name} isChosen={format === name} onChoose={() => setFormat(name)}>
              {formats[name]()}
            </Choice>
          ))}
        </div>
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-soft text-sm">{t('What')}</legend>
        <Choice isChosen={!isPart} onChoose={() => setPart(false)}>
          {t('The whole conversation')}
        </Choice>
        <Choice isChosen={isPart} onChoose={() => setPart(true)}>
          {t('Some messages and their answers')}
        </Choice>
        {isPart && details.isError && <Refusal error={details.error} />}
        {isPart && details.data && (
          <TurnChoice turns={details.data.turns} chosen={chosen} onChange={setChosen} />
        )}
      </fieldset>
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="quiet" disabled={isEmpty} onClick={() => print(address('html', true))}>
          <Printer size={16} aria-hidden />
          {t('Print')}
        </Button>
        {isEmpty ? (
          <Button look="primary" disabled>
            {t('Download')}
          </Button>
        ) : (
          <a href={address(format)} download className={buttonLook('primary')}>
            <Download size={16} aria-hidden />
            {t('Download')}
          </a>
        )}
      </div>
    </div>
  );
}

function Choice({
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

/** The page has no scripts of its own, so it is told to print from here. */
function print(address: string): void {
  const page = window.open(address);
  page?.addEventListener('load', () => page.print());
}
