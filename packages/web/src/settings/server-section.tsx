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
        // In the demo, the first steps take it.
        ...(demo ? [] : [{ key: 'anthropic.apiKey', label: t('Anthropic API key') }]),
        { key: 'model', label: t('Default model') },
        { key: 'models', label: t('Models to choose from') },
        { key: 'claude.model', label: t('Model of Claude Code') },
        { key: 'claude.permissionMode', label: t('Claude Code permissions') },
        { key: 'caution', label: t('When assistants ask first') },
      ],
    },
    {
      title: t('Web search'),
      settings: [
        { key: 'web.search', label: t('Search with') },
        { key: 'web.searxng.url', label: t('Address of SearXNG') },
        { key: 'web.brave.apiKey', label: t('Key for Brave') },
      ],
    },
    {
      title: t('LinkedIn'),
      settings: [
        { key: 'linkedin.clientId', label: t('Client id') },
        { key: 'linkedin.clientSecret', label: t('Client secret') },
        { key: 'linkedin.confirm', label: t('Show a preview before publishing') },
      ],
    },
    {
      title: t('Limits'),
      settings: [
        { key: 'limits.maxToolIterations', label: t('Rounds of tool calls per turn') },
        { key: 'limits.toolSeconds', label: t('Seconds for a tool call') },
        { key: 'limits.toolResultBytes', label: t('Bytes of a tool result') },
        { key: 'limits.contextTokens', label: t('Tokens of context') },
        { key: 'limits.outputTokens', label: t('Tokens of a reply') },
      ],
    },
    { title: t('Sharing'), settings: [{ key: 'shareLinks', label: t('Allow links to conversations') }] },
    { title: t('Log'), settings: [{ key: 'log.level', label: t('Lowest level') }] },
  ];
}
