// The state of the bots, and how to add one.
import type { ChannelOverview, ChannelStatus } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { get } from '../client.ts';
import { serverText } from '../i18n/server-text.ts';
import { Trans } from '../i18n/trans.tsx';
import { t } from '../i18n/translate.ts';
import { moment } from '../ui/amounts.ts';
import { Badge, ErrorNote, Skeleton } from '../ui/notes.tsx';

const names = { telegram: 'Telegram', discord: 'Discord' } as const;
const tones = { off: 'plain', connecting: 'warn', running: 'good', failed: 'danger' } as const;
const stateNames = {
  off: () => t('off'),
  connecting: () => t('connecting'),
  running: () => t('running'),
  failed: () => t('failed'),
};

export function useBots() {
  return useQuery({
    queryKey: ['channels'],
    queryFn: ({ signal }) => get<ChannelOverview>('/api/channels', signal),
    refetchInterval: 5_000,
  });
}

export function BotList() {
  const bots = useBots();
  if (bots.isPending) return <Skeleton className="h-16" />;
  if (bots.isError) return <ErrorNote error={bots.error} onRetry={() => void bots.refetch()} />;
  if (bots.data.channels.length === 0) return <HowToAddOne />;
  return (
    <ul className="grid gap-3">
      {bots.data.channels.map((bot) => (
        <li key={bot.name} className="text-sm">
          <div className="flex items-center justify-between gap-3">
            <span className="min-w-0 truncate font-medium">
              {title(bot)}
              {bot.botName !== null && <span className="font-normal text-soft"> · {botName(bot)}</span>}
            </span>
            <BotState {...bot} />
          </div>
          <BotRemark {...bot} />
        </li>
      ))}
    </ul>
  );
}

export function BotState({ state }: ChannelStatus) {
  return <Badge tone={tones[state]}>{stateNames[state]()}</Badge>;
}

/** Since when, and what is wrong with it. */
export function BotRemark(channel: ChannelStatus) {
  return (
    <>
      <p className="mt-0.5 text-faint text-xs">{remark(channel)}</p>
      {channel.lastError !== null && (
        <p role={channel.state === 'failed' ? 'alert' : 'status'} className={trouble[channel.state]}>
          {serverText(channel.lastError)}
        </p>
      )}
    </>
  );
}

const trouble: Partial<Record<ChannelStatus['state'], string>> = {
  failed: 'mt-1.5 rounded-lg bg-danger-wash px-3 py-2 text-danger text-xs leading-relaxed',
  connecting: 'mt-1.5 rounded-lg bg-warn-wash px-3 py-2 text-warn text-xs leading-relaxed',
};

/** With the bot's own name, if it has one. */
function title({ name, kind }: ChannelStatus): string {
  return name === kind ? names[kind] : `${name} · ${names[kind]}`;
}

function botName({ kind, botName: name }: ChannelStatus): string {
  return kind === 'telegram' ? `@${name}` : `${name}`;
}

function remark({ state, since }: ChannelStatus): string {
  const time = moment(since, new Date());
  switch (state) {
    case 'running':
      return t('Answering messages since {time}.', { time });
    case 'connecting':
      return t('Trying to connect since {time}.', { time });
    case 'failed':
      return t('Down since {time}.', { time });
    case 'off':
      return t('Has a token, but is turned off.');
    default:
      return state satisfies never;
  }
}

function HowToAddOne() {
  return (
    <div className="text-soft text-sm leading-relaxed">
      <p>{t('No bots yet.')}</p>
      <p className="mt-1">
        <Trans
          message="Add one in the settings, or set <code>TELEGRAM_BOT_TOKEN</code> or <code>DISCORD_BOT_TOKEN</code> and restart Parley. To try it without a token, run <code>npm start -- --demo-channels</code>."
          tags={{
            code: (
              <code className="whitespace-nowrap rounded bg-code px-1 py-0.5 font-mono text-[0.8em] text-ink" />
            ),
          }}
        />
      </p>
    </div>
  );
}
