// Says who else sees a session, or whose it is.
import { Users } from 'lucide-react';
import { useHere } from '../app/me.tsx';
import { useDisplayName } from '../app/people.ts';
import { t } from '../i18n/translate.ts';
import { Badge } from '../ui/notes.tsx';
import { useShares } from './shares.ts';

export function SharedBadge({ session, owner }: { session: string; owner: string }) {
  const { person } = useHere();
  const nameOf = useDisplayName();
  const { data } = useShares(session, owner === person);
  const others = data?.shares.map((share) => nameOf(share.with)) ?? [];
  if (owner === person && others.length === 0) return null;
  const sentence =
    owner === person
      ? t('Shared with {people}', { people: others.join(', ') })
      : t('Shared by {owner}', { owner: nameOf(owner) });
  return (
    <span title={sentence} className="flex max-w-40 shrink-0 max-sm:max-w-28">
      <Badge tone="accent">
        <Users size={13} className="shrink-0" aria-hidden />
        <span className="truncate">{sentence}</span>
      </Badge>
    </span>
  );
}

/** Shown instead of the composer. */
export function ReadOnlyNote({ owner }: { owner: string }) {
  const nameOf = useDisplayName();
  return (
    <p
      role="note"
      className="rounded-xl border border-line bg-raised px-4 py-3 text-center text-soft text-sm"
    >
      {t('{owner} gave you read-only access to this.', { owner: nameOf(owner) })}
    </p>
  );
}
