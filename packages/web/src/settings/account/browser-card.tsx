// What is remembered in this browser and not in the account: language, theme and notifications.

import { languageOptions, switchLanguage } from '../../app/language-choice.ts';
import { allowNotifications, useNotificationPermission } from '../../app/notifications.ts';
import { chooseTheme, useChosenTheme } from '../../app/theme.ts';
import { chosenLanguage } from '../../i18n/language.tsx';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Badge } from '../../ui/notes.tsx';
import { SelectField } from '../../ui/select.tsx';

const languageId = 'language-choice';

export function BrowserCard() {
  const theme = useChosenTheme();
  return (
    <Card title={t('This browser')} hint={t('Other devices keep their own choices.')}>
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

function Notifications() {
  const permission = useNotificationPermission();
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-medium text-sm">{t('Notifications')}</h3>
        <p className="mt-1 text-faint text-xs leading-relaxed">
          {permission === 'denied' || permission === undefined
            ? t(
                'Your browser blocks them here. Allow them in its settings for this page. Most browsers also want HTTPS.',
              )
            : permission === 'granted'
              ? t(
                  'You are notified when Claude needs you or is done. Your browser’s settings for this page turn it off.',
                )
              : t('When Claude needs you or is done, even while you look at something else.')}
        </p>
      </div>
      {permission === 'default' ? (
        <Button onClick={() => void allowNotifications()}>{t('Notify me')}</Button>
      ) : permission === 'granted' ? (
        <Badge tone="good">{t('on')}</Badge>
      ) : (
        <Badge>{t('off')}</Badge>
      )}
    </div>
  );
}
