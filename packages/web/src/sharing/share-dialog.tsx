// Shares a session with other people, to read it or to take part in it.
import type { Share, ShareLevel } from '@parley/protocol';
import { useState } from 'react';
import { useHere } from '../app/me.tsx';
import { useDisplayName, usePeople } from '../app/people.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote, Skeleton } from '../ui/notes.tsx';
import { Select, SelectField } from '../ui/select.tsx';
import { ShareLinks } from './share-links.tsx';
import { levelName, useShare, useShares } from './shares.ts';

export function ShareDialog({
  session,
  open,
  onClose,
}: {
  session: string;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={t('Share')}
      description={t(
        '“Can read” shows people the whole conversation, including later messages. “Can take part” also lets them write, stop answers and answer questions.',
      )}
    >
      <Shares session={session} />
      <ShareLinks session={session} />
    </Dialog>
  );
}

function Shares({ session }: { session: string }) {
  const shares = useShares(session);
  const share = useShare(session);
  if (shares.isPending) return <Skeleton className="h-32" />;
  if (shares.isError) return <ErrorNote error={shares.error} onRetry={() => void shares.refetch()} />;
  const list = shares.data.shares;
  return (
    <div className="grid gap-5">
      {list.length > 0 && (
        <ul aria-label={t('Shared with')} className="grid gap-2">
          {list.map((one) => (
            <ShareRow
              key={one.with}
              share={one}
              isBusy={share.isPending}
              onChange={(level) => share.mutate({ person: one.with, level })}
            />
          ))}
        </ul>
      )}
      {share.isError && <ErrorNote error={share.error} />}
      <AddForm
        taken={list.map((one) => one.with)}
        isBusy={share.isPending}
        onAdd={(person, level) => share.mutate({ person, level })}
      />
    </div>
  );
}

const allLevels: readonly ShareLevel[] = ['read', 'participate'];
const levels = () => allLevels.map((value) => ({ value, name: levelName(value) }));

function ShareRow({
  share: { with: person, level },
  isBusy,
  onChange,
}: {
  share: Share;
  isBusy: boolean;
  onChange: (level: ShareLevel | undefined) => void;
}) {
  const name = useDisplayName()(person);
  return (
    <li className="flex flex-wrap items-center gap-2 text-sm">
      <span className="min-w-24 flex-1 break-words font-medium">{name}</span>
      <span className="w-44">
        <Select
          aria-label={t('Access for {name}', { name })}
          value={level}
          disabled={isBusy}
          onChange={({ target }) => onChange(allLevels.find((one) => one === target.value))}
          className="min-h-9 border-line bg-paper pl-3 text-sm"
        >
          {levels().map(({ value, name: shown }) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </Select>
      </span>
      <Button
        look="quiet"
        disabled={isBusy}
        aria-label={t('Stop sharing with {name}', { name })}
        onClick={() => onChange(undefined)}
      >
        {t('Remove')}
      </Button>
    </li>
  );
}

function AddForm({
  taken,
  isBusy,
  onAdd,
}: {
  taken: readonly string[];
  isBusy: boolean;
  onAdd: (person: string, level: ShareLevel) => void;
}) {
  const { person: me } = useHere();
  const people = usePeople().filter(
    ({ person, disabled }) => person !== me && !disabled && !taken.includes(person),
  );
  const [wanted, setWanted] = useState('');
  const [level, setLevel] = useState<ShareLevel>('read');
  const chosen = people.find(({ person }) => person === wanted) ?? people[0];
  if (!chosen)
    return (
      <p className="text-faint text-sm">
        {taken.length > 0 ? t('It’s already shared with everyone here.') : t('There’s no one else here yet.')}
      </p>
    );
  return (
    <form
      className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(chosen.person, level);
      }}
    >
      <SelectField
        label={t('Person')}
        value={chosen.person}
        options={people.map((one) => ({ value: one.person, name: one.displayName }))}
        onChoose={setWanted}
      />
      <SelectField label={t('Access')} value={level} options={levels()} onChoose={setLevel} />
      <Button look="primary" type="submit" className="min-h-10" disabled={isBusy}>
        {t('Share')}
      </Button>
    </form>
  );
}
