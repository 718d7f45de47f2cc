// The settings of the server that can change while it runs and have no section of their own.
import { useHere } from '../app/me.tsx';
import { t } from '../i18n/translate.ts';
import { WithSettings } from './form/parts.tsx';
import { type LabeledSetting, SettingGroup } from './form/setting-group.tsx';

export function ServerSection() {
  const { demo } = useHere();
  const groups = allGroups(demo);
  return (
    <WithSettings keys={groups.flatMap(({ settings }) => settings.map(({ key }) => key))}>
      {(view) => groups.map((group) => <SettingGroup key={group.title} view={view} {...group} />)}
    </WithSettings>
  );
}

function allGroups(
  demo: boolean,
): readonly { readonly title: string; readonly settings: readonly LabeledSetting[] }[] {
  return [
    {
      title: t('Models'),
      settings: [
        // In the demo, the first steps ask for it.
        ...(demo ? [] : [{ key: 'anthropic.apiKey', label: t('Anthropic API key') }]),
        { key: 'model', label: t('Default model') },
        { key: 'models', label: t('Available models') },
        { key: 'claude.model', label: t('Claude Code model') },
        { key: 'claude.permissionMode', label: t('Claude Code permissions') },
        { key: 'caution', label: t('When assistants ask first') },
      ],
    },
    {
      title: t('Web search'),
      settings: [
        { key: 'web.search', label: t('Search engine') },
        { key: 'web.searxng.url', label: t('SearXNG address') },
        { key: 'web.brave.apiKey', label: t('Brave API key') },
      ],
    },
    {
      title: t('LinkedIn'),
      settings: [
        { key: 'linkedin.clientId', label: t('Client ID') },
        { key: 'linkedin.clientSecret', label: t('Client secret') },
        { key: 'linkedin.confirm', label: t('Show a preview before publishing') },
      ],
    },
    {
      title: t('Limits'),
      settings: [
        { key: 'limits.maxToolIterations', label: t('Tool call rounds per turn') },
        { key: 'limits.toolSeconds', label: t('Tool call timeout in seconds') },
        { key: 'limits.toolResultBytes', label: t('Tool result size in bytes') },
        { key: 'limits.contextTokens', label: t('Context size in tokens') },
        { key: 'limits.outputTokens', label: t('Reply length in tokens') },
      ],
    },
    { title: t('Sharing'), settings: [{ key: 'shareLinks', label: t('Allow share links') }] },
    { title: t('Log'), settings: [{ key: 'log.level', label: t('Log level') }] },
  ];
}
