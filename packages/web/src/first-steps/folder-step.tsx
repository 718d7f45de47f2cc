// The third step: where Claude Code may work, and where the notes are.
import type { SettingsView } from '@parley/protocol';
import { useHere } from '../app/me.tsx';
import { Trans } from '../i18n/trans.tsx';
import { t } from '../i18n/translate.ts';
import { WithSettings } from '../settings/form/parts.tsx';
import { settingAt, textOf } from '../settings/form/view.ts';
import { WorkRoots } from '../settings/work-folders/work-roots.tsx';
import { Card } from '../ui/card.tsx';

export function FolderStep() {
  const { rights } = useHere();
  return (
    <WithSettings keys={['workRoots']}>
      {(view) => (
        <>
          {rights.includes('programs') ? (
            <WorkRoots view={view} />
          ) : (
            <Card title={t('Where Claude Code may work')}>
              <p className="text-soft text-sm leading-relaxed">
                {t(
                  'Claude Code runs programs in these folders, so only an owner with an account can choose them. Protect your account in the previous step.',
                )}
              </p>
            </Card>
          )}
          <Notes view={view} />
        </>
      )}
    </WithSettings>
  );
}

function Notes({ view }: { view: SettingsView }) {
  const { person } = useHere();
  return (
    <Card title={t('Your notes')}>
      <p className="text-soft text-sm leading-relaxed">
        <Trans
          message="The notes assistant reads and writes Markdown files in <code>{folder}</code>. Put files there, or ask it to write the first one."
          values={{ folder: `${textOf(settingAt(view, 'vaultRoot').value)}/${person}` }}
          tags={{ code: <code className="break-all font-mono text-xs" /> }}
        />
      </p>
    </Card>
  );
}
