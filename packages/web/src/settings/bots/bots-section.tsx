// The Telegram and Discord bots: their state, forms to add and change them, and what all of them share.
import type { ChannelStatus, ChatService, SettingsView } from '@parley/protocol';
import { t } from '../../i18n/translate.ts';
import { BotRemark, BotState, useBots } from '../../overview/bots.tsx';
import { EntryList } from '../form/entry-list.tsx';
import { WithSettings } from '../form/parts.tsx';
import { changesOn, useSaveSettings } from '../form/saving.ts';
import { SettingGroup } from '../form/setting-group.tsx';
import { placeText } from '../form/view.ts';
import { BotForm } from './bot-form.tsx';
import { type Bot, botsIn, removalOf } from './bots.ts';

const services: Record<ChatService, string> = { telegram: 'Telegram', discord: 'Discord' };

export function BotsSection() {
  return (
    <WithSettings keys={['channels', 'summaryPrompt', 'maxToolIterations']}>
      {(view) => (
        <>
          <Bots view={view} />
          <SettingGroup
            view={view}
            title={t('Settings for all bots')}
            hint={t('Bots with their own settings don’t use these.')}
            settings={[
              { key: 'channels.engine', label: t('Who answers') },
              { key: 'channels.assistant', label: t('Assistant') },
              { key: 'channels.permissionMode', label: t('Permissions') },
              { key: 'channels.person', label: t('Person') },
              { key: 'channels.people', label: t('People by ID') },
              { key: 'summaryPrompt.enabled', label: t('Wrap messages in a template') },
              { key: 'summaryPrompt.template', label: t('Template') },
              { key: 'maxToolIterations', label: t('Tool call rounds per turn') },
            ]}
          />
        </>
      )}
    </WithSettings>
  );
}

function Bots({ view }: { view: SettingsView }) {
  const states = useBots().data?.channels ?? [];
  const change = useSaveSettings();
  const bots = botsIn(view);
  return (
    <EntryList
      title={t('All bots')}
      hint={t('With a bot, people can talk to Parley on Telegram or Discord.')}
      add={t('Add a bot')}
      empty={t('No bots yet.')}
      entries={bots}
      form={(onClose, bot) => <BotForm {...{ view, bots, onClose }} {...(bot && { bot })} />}
      row={(bot) => ({
        title: bot.isOwn ? services[bot.service] : `${bot.name} · ${services[bot.service]}`,
        state: <State bot={bot} states={states} />,
        note: placeText(bot.token.origin),
        isFixed: !bot.isEditable,
        removal: bot.token.editable
          ? {
              warning: t('It will stop answering, and its token will be deleted.'),
              run: () => change(changesOn(view, removalOf(view, bot))),
            }
          : undefined,
        children: <Remark bot={bot} states={states} />,
      })}
    />
  );
}

interface Shown {
  readonly bot: Bot;
  readonly states: readonly ChannelStatus[];
}

function State({ bot, states }: Shown) {
  const state = states.find(({ name }) => name === bot.name);
  return state ? <BotState {...state} /> : null;
}

function Remark({ bot, states }: Shown) {
  const state = states.find(({ name }) => name === bot.name);
  return (
    <>
      {state && <BotRemark {...state} />}
      {bot.allowFrom.length === 0 && (
        <p className="mt-0.5 text-warn text-xs">
          {t('No one can use it yet. Add the people who may use it.')}
        </p>
      )}
    </>
  );
}
