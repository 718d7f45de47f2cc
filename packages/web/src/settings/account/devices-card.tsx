// Where I am logged in, and logging out elsewhere.
import type { DeviceInfo, LoginKind } from '@parley/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { send } from '../../client.ts';
import { errorText } from '../../i18n/error-text.ts';
import { t } from '../../i18n/translate.ts';
import { moment } from '../../ui/amounts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Badge, ErrorNote, Skeleton } from '../../ui/notes.tsx';
import { showNotice } from '../../ui/notice.tsx';
import { Row, Rows } from '../rows.tsx';
import { devicesQuery } from './account-query.ts';

const kinds: Readonly<Record<LoginKind, () => string>> = {
  family: () => t('family password'),
  password: () => t('password'),
  passkey: () => t('passkey'),
  openid: () => t('identity provider'),
};

export function DevicesCard({ isFamily }: { isFamily: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const devices = useQuery(devicesQuery);
  const end = useEndDevices();
  const now = new Date();
  return (
    <Card
      title={t('Devices')}
      hint={
        isFamily
          ? t('All browsers that are logged in with the family password.')
          : t('All browsers where you are logged in.')
      }
      action={
        (devices.data?.length ?? 0) > 1 && (
          <Button onClick={() => setAsking(true)}>{t('Log out all others')}</Button>
        )
      }
    >
      {devices.isPending && <Skeleton className="h-14" />}
      {devices.isError && <ErrorNote error={devices.error} onRetry={() => void devices.refetch()} />}
      <Rows>
        {devices.data?.map((device) => (
          <Row
            key={device.id}
            icon={<MonitorSmartphone size={18} aria-hidden />}
            name={nameOf(device)}
            badges={device.current && <Badge tone="accent">{t('this device')}</Badge>}
            details={[
              kinds[device.kind](),
              t('logged in {when}', { when: moment(device.createdAt, now) }),
              t('last seen {when}', { when: moment(device.seenAt, now) }),
            ]}
          >
            {!device.current && (
              <IconButton
                label={t('Log out {device}', { device: nameOf(device) })}
                onClick={() => end.mutate(device)}
              >
                <LogOut size={17} aria-hidden />
              </IconButton>
            )}
          </Row>
        ))}
      </Rows>
      <ConfirmDialog
        open={isAsking}
        title={t('Log out all other devices?')}
        warning={
          isFamily
            ? t('This will also log out everyone else who uses the family password.')
            : t('Anything open there will close immediately.')
        }
        action={t('Log out all others')}
        run={() => end.mutateAsync('others')}
        onClose={() => setAsking(false)}
      />
    </Card>
  );
}

function nameOf({ name }: DeviceInfo): string {
  return name ?? t('Unknown device');
}

/** They disappear from the list at once, and return if the server refuses. */
function useEndDevices() {
  const queries = useQueryClient();
  const { queryKey } = devicesQuery;
  return useMutation({
    mutationFn: (which: DeviceInfo | 'others') =>
      send('DELETE', `/api/account/devices${which === 'others' ? '' : `/${which.id}`}`),
    onMutate: (which) =>
      queries.setQueryData(queryKey, (all) =>
        all?.filter(({ id, current }) => (which === 'others' ? current : id !== which.id)),
      ),
    onError: (error) => showNotice(errorText(error)),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
