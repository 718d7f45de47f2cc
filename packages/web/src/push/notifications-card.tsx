// Chooses what the person is notified about on all of their devices, and when not to notify them.
import type { PushChoices, PushKind, QuietHours } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Card } from '../ui/card.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { ErrorNote, Skeleton } from '../ui/notes.tsx';
import { pushQuery, useChoose } from './push-query.ts';

const kinds: Readonly<Record<PushKind, () => string>> = {
  'needs-you': () => t('Claude needs my permission'),
  done: () => t('Claude is done'),
  failed: () => t('An answer fails'),
  mention: () => t('Somebody mentions me in a shared conversation'),
};

const allKinds = Object.keys(kinds) as readonly PushKind[];

export function NotificationsCard() {
  const { data, isPending, error, refetch } = useQuery(pushQuery);
  const choose = useChoose();
  /** Shown until the server answers; otherwise a checkbox would jump back. */
  const [chosen, setChosen] = useState<PushChoices>();
  if (isPending) return <Skeleton className="h-48" />;
  if (!data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  const { kinds: wanted, quiet } = chosen ?? data.settings;
  const save = (change: Partial<PushChoices>) => {
    const next = { kinds: wanted, quiet, ...change };
    setChosen(next);
    choose.mutate(next, { onSettled: () => setChosen(undefined) });
  };
  return (
    <Card
      title={t('Notifications')}
      hint={t('On all of your devices, unless you are looking at the conversation.')}
    >
      <fieldset className="grid gap-3">
        <legend className="mb-3 font-medium text-sm">{t('Notify me when')}</legend>
        {allKinds.map((kind) => (
          <CheckField
            key={kind}
            label={kinds[kind]()}
            checked={wanted.includes(kind)}
            onChange={({ target }) =>
              save({
                kinds: allKinds.filter((one) => (one === kind ? target.checked : wanted.includes(one))),
              })
            }
          />
        ))}
      </fieldset>
      <div className="mt-5 border-line border-t pt-4">
        <CheckField
          label={t('Quiet hours')}
          hint={t('No notifications during this time.')}
          checked={quiet !== null}
          onChange={({ target }) => save({ quiet: target.checked ? usual() : null })}
        />
        {quiet && <Hours quiet={quiet} onChange={(hours) => save({ quiet: hours })} />}
      </div>
      {choose.isError && <ErrorNote error={choose.error} />}
    </Card>
  );
}

function Hours({ quiet, onChange }: { quiet: QuietHours; onChange: (quiet: QuietHours) => void }) {
  const field = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="time"
      // Saved on blur, because the browser reports each digit that somebody types.
      defaultValue={quiet[name]}
      onBlur={({ target }) => {
        if (target.value !== '' && target.value !== quiet[name])
          onChange({ ...quiet, [name]: target.value, timeZone: timeZone() });
      }}
    />
  );
  return (
    <div className="mt-3 grid max-w-xs grid-cols-2 gap-3">
      {field('from', t('From'))}
      {field('to', t('Until'))}
    </div>
  );
}

function usual(): QuietHours {
  return { from: '22:00', to: '07:00', timeZone: timeZone() };
}

function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
