// How the bots of the chat channels are doing, and how to have one.
import type { ChannelOverview, ChannelStatus } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../api/http.ts';
import { moment } from '../ui/amounts.ts';
import { Badge, Refusal, Skeleton } from '../ui/notes.tsx';

const names = { telegram: 'Telegram', discord: 'Discord' } as const;
const tones = { off: 'plain', connecting: 'warn', running: 'good', failed: 'danger' } as const;
const words = { off: 'off', connecting: 'connecting', running: 'running', failed: 'failed' } as const;

export function Channels() {
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: ({ signal }) => get<ChannelOverview>('/api/channels', signal),
    refetchInterval: 5_000,
  });
  if (channels.isPending) return <Skeleton className="h-16" />;
  if (channels.isError) return <Refusal error={channels.error} onRetry={() => void channels.refetch()} />;
  if (channels.data.channels.length === 0) return <HowToAddOne />;
  return (
    <ul className="grid gap-3">
      {channels.data.channels.map((channel) => (
        <li key={channel.name} className="text-sm">
          <div className="flex items-center justify-between gap-3">
            <span className="min-w-0 truncate font-medium">
              {title(channel)}
              {channel.botName !== null && (
                <span className="font-normal text-soft"> · {botName(channel)}</span>
              )}
            </span>
            <Badge tone={tones[channel.state]}>{words[channel.state]}</Badge>
          </div>
          <p className="mt-0.5 text-faint text-xs">{remark(channel)}</p>
          {channel.lastError !== null && (
            <p role={channel.state === 'failed' ? 'alert' : 'status'} className={trouble[channel.state]}>
              {channel.lastError}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

const trouble: Partial<Record<ChannelStatus['state'], string>> = {
  failed: 'mt-1.5 rounded-lg bg-danger-wash px-3 py-2 text-danger text-xs leading-relaxed',
  connecting: 'mt-1.5 rounded-lg bg-warn-wash px-3 py-2 text-warn text-xs leading-relaxed',
};

/** A bot that has a name of its own goes by it. */
function title({ name, kind }: ChannelStatus): string {
  return name === kind ? names[kind] : `${name} · ${names[kind]}`;
}

function botName({ kind, botName: name }: ChannelStatus): string {
  return kind === 'telegram' ? `@${name}` : `${name}`;
}

function remark({ kind, state, since }: ChannelStatus): string {
  const begun = moment(since, new Date());
  switch (state) {
    case 'running':
      return `Answers messages, since ${begun}.`;
    case 'connecting':
      return `On its way since ${begun}. It tries again by itself.`;
    case 'failed':
      return `Answers nobody, since ${begun}.`;
    case 'off':
      return `Has a token and is switched off by ${kind.toUpperCase()}_ENABLED.`;
    default:
      return state satisfies never;
  }
}

function HowToAddOne() {
  return (
    <div className="text-soft text-sm leading-relaxed">
      <p>No bot is set up.</p>
      <p className="mt-1">
        Put the token of a Telegram or Discord bot into <Code>TELEGRAM_BOT_TOKEN</Code> or{' '}
        <Code>DISCORD_BOT_TOKEN</Code>, start Parley again, and talk to Claude from there. To try it without a
        token: <Code>npm start -- --demo-channels</Code>.
      </p>
    </div>
  );
}

function Code({ children }: { children: ReactNode }) {
  return (
    <code className="whitespace-nowrap rounded bg-code px-1 py-0.5 font-mono text-[0.8em] text-ink">
      {children}
    </code>
  );
}
