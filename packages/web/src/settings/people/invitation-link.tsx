// The link of a new invitation: what to do with it, and how long it works.
import type { NewInvitationInfo } from '@parley/protocol';
import type { ReactNode } from 'react';
import { t } from '../../i18n/translate.ts';
import { moment } from '../../ui/amounts.ts';
import { CopyText } from '../../ui/copy-text.tsx';

export function InvitationLink({
  invitation: { person, path, expiresAt },
  children,
}: {
  invitation: NewInvitationInfo;
  children: ReactNode;
}) {
  return (
    <div className="grid gap-4 text-sm">
      <CopyText name={t('New link')} text={new URL(path, location.origin).href} />
      <p className="leading-relaxed">
        {t(
          'Anyone who has this link can log in as {person}, so don’t send it to anyone else. It works once, until {when}.',
          {
            person,
            when: moment(expiresAt, new Date()),
          },
        )}
      </p>
      {isLocal(location.hostname) && (
        <p className="rounded-lg bg-warn-wash p-3 text-warn leading-relaxed">
          {t(
            'This address works only on this machine. To try the link here, open it in a private window. For other devices, open Parley at an address that they can reach, and invite from there.',
          )}
        </p>
      )}
      <div className="flex justify-end gap-2">{children}</div>
    </div>
  );
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
