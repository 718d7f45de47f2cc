// What is remembered in this browser and not in the account: language, theme and notifications.
import { useMutation } from '@tanstack/react-query';
import { languageOptions, switchLanguage } from '../../app/language-choice.ts';
import { useHere } from '../../app/me.tsx';
import { chooseTheme, useChosenTheme } from '../../app/theme.ts';
import { chosenLanguage } from '../../i18n/language.tsx';
import { t } from '../../i18n/translate.ts';
import { type DeviceState, turnOff, turnOn, useDeviceState } from '../../push/device.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Badge, ErrorNote } from '../../ui/notes.tsx';
import { SelectField } from '../../ui/select.tsx';

const languageId = 'language-choice';

export function BrowserCard() {
  const theme = useChosenTheme();
  return (
    <Card title={t('This browser')} hint={t('These settings apply only to this browser.')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          id={languageId}
          label={t('Language')}
          value={chosenLanguage() ?? ''}
          options={languageOptions()}
          onChoose={(language) => void switchLanguage(language, languageId)}
        />
        <SelectField
          label={t('Appearance')}
          value={theme ?? 'system'}
          options={[
            { value: 'system', name: t('Same as system') },
            { value: 'light', name: t('Light') },
            { value: 'dark', name: t('Dark') },
          ]}
          onChoose={(chosen) => chooseTheme(chosen === 'system' ? undefined : chosen)}
        />
      </div>
      <Notifications />
    </Card>
  );
}

const sentences: Readonly<Record<NonNullable<DeviceState>, () => string>> = {
  on: () => t('This browser notifies you, even while Parley is closed.'),
  off: () => t('Get notified when Claude needs you or is done, even while Parley is closed.'),
  pages: () => t('This browser can notify you only while Parley is open.'),
  blocked: () =>
    t(
      'Your browser blocks notifications here. Allow them in its settings for this site. Most browsers also require HTTPS.',
    ),
};

function Notifications() {
  const { person } = useHere();
  const state = useDeviceState();
  const change = useMutation({ mutationFn: (run: () => Promise<void>) => run() });
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="flex items-center gap-2 font-medium text-sm">
          {t('Notifications')}
          {state === 'on' || state === 'pages' ? (
            <Badge tone="good">{t('on')}</Badge>
          ) : (
            <Badge>{t('off')}</Badge>
          )}
        </h3>
        <p className="mt-1 text-faint text-xs leading-relaxed">{sentences[state ?? 'blocked']()}</p>
      </div>
      {state === 'off' && (
        <Button disabled={change.isPending} onClick={() => change.mutate(() => turnOn(person))}>
          {t('Turn on')}
        </Button>
      )}
      {state === 'on' && (
        <Button disabled={change.isPending} onClick={() => change.mutate(turnOff)}>
          {t('Turn off')}
        </Button>
      )}
      {change.isError && <ErrorNote error={change.error} />}
    </div>
  );
}
