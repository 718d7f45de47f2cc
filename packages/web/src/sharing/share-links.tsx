// Links that show a conversation to people without a login: creates, lists and revokes them.
import type { NewShareLink, ShareLinkInfo } from '@parley/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { get, send } from '../client.ts';
import { WhichTurns } from '../export/which-turns.tsx';
import { serverLanguage } from '../i18n/server-text.ts';
import { t } from '../i18n/translate.ts';
import { moment } from '../ui/amounts.ts';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { ErrorNote } from '../ui/notes.tsx';
import { SelectField } from '../ui/select.tsx';

interface LinkList {
  readonly links: readonly ShareLinkInfo[];
  /** Whether this person may create more. */
  readonly allowed: boolean;
}

const pathOf = (session: string) => `/api/sessions/${session}/links`;

export function ShareLinks({ session }: { session: string }) {
  const queries = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const key = ['share-links', session];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<LinkList>(pathOf(session), signal),
  });
  const revoke = useMutation({
    mutationFn: (id: string) => send<LinkList>('DELETE', `${pathOf(session)}/${id}`),
    onSuccess: (list) => queries.setQueryData(key, list),
  });
  if (!data || (!data.allowed && data.links.length === 0)) return null;
  return (
    <section className="mt-6 grid gap-4 border-line border-t pt-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-medium text-sm">{t('Links')}</h3>
          <p className="mt-1 text-faint text-xs leading-relaxed">
            {t(
              'For people without a login. Anyone who has a link can read what it shows until the link expires.',
            )}
          </p>
        </div>
        {data.allowed && !isMaking && (
          <Button onClick={() => setMaking(true)}>
            <Link2 size={16} aria-hidden />
            {t('Create link')}
          </Button>
        )}
      </div>
      {isMaking && (
        <NewLink
          session={session}
          onMade={() => void queries.invalidateQueries({ queryKey: key })}
          onClose={() => setMaking(false)}
        />
      )}
      {data.links.length > 0 && (
        <ul aria-label={t('Links')} className="grid gap-2">
          {data.links.map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              isBusy={revoke.isPending}
              onRevoke={() => revoke.mutate(link.id)}
            />
          ))}
        </ul>
      )}
      {revoke.isError && <ErrorNote error={revoke.error} />}
    </section>
  );
}

function LinkRow({
  link: { turns, createdAt, expiresAt },
  isBusy,
  onRevoke,
}: {
  link: ShareLinkInfo;
  isBusy: boolean;
  onRevoke: () => void;
}) {
  const now = new Date();
  const made = moment(createdAt, now);
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <span className="min-w-0 flex-1 basis-48">
        {t('{count, plural, one {# message} other {# messages}}, created {made}, expires {end}', {
          count: turns,
          made,
          end: moment(expiresAt, now),
        })}
      </span>
      <Button
        look="quiet"
        disabled={isBusy}
        aria-label={t('Revoke the link created {made}', { made })}
        onClick={onRevoke}
      >
        {t('Revoke')}
      </Button>
    </li>
  );
}

const spans = [1, 7, 30, 90];

function NewLink({ session, onMade, onClose }: { session: string; onMade: () => void; onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const [days, setDays] = useState(7);
  const make = useMutation({
    mutationFn: () =>
      send<NewShareLink>('POST', pathOf(session), {
        days,
        language: serverLanguage(),
        ...(chosen && { turns: [...chosen] }),
      }),
    onSuccess: onMade,
  });
  if (make.data)
    return (
      <div className="grid gap-3 text-sm">
        <CopyText name={t('New link')} text={new URL(make.data.path, location.origin).href} />
        <p className="text-soft leading-relaxed">
          {t('Copy it now. It won’t be shown again. It doesn’t include later messages.')}
        </p>
        <div className="flex justify-end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </div>
      </div>
    );
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <WhichTurns session={session} chosen={chosen} onChange={setChosen} />
      <SelectField
        label={t('Expires after')}
        value={String(days)}
        options={spans.map((span) => ({
          value: String(span),
          name: t('{count, plural, one {# day} other {# days}}', { count: span }),
        }))}
        onChoose={(value) => setDays(Number(value))}
      />
      <p className="rounded-lg bg-warn-wash p-3 text-sm text-warn leading-relaxed">
        {t(
          'Keys and passwords in common formats are hidden. Pictures, names and everything else are shown as they are.',
        )}
      </p>
      {make.isError && <ErrorNote error={make.error} />}
      <div className="flex justify-end gap-2">
        <Button look="quiet" type="button" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button look="primary" type="submit" disabled={make.isPending || chosen?.size === 0}>
          {t('Create link')}
        </Button>
      </div>
    </form>
  );
}
