// The bots of demo mode: connects them to a page that imitates Telegram and Discord, where a newcomer can write to them.
import { join } from 'node:path';
import { sampleProjectName, startChatPage } from '@parley/demo';
import type { Config } from '../config/schema.ts';
import { Secret } from '../config/secret.ts';
import { demoProjectsRoot } from './layout.ts';

export interface DemoChannels {
  /** The address of the page. */
  readonly url: string;
  /** The configuration with both demo bots in place of its own bots. */
  readonly withBots: (config: Config) => Config;
  close(): Promise<void>;
}

export async function startDemoChannels(config: Config): Promise<DemoChannels> {
  const page = await startChatPage({ writer: writerOf(config) });
  const bot = (service: { readonly url: string; readonly token: string }) => ({
    enabled: true,
    token: new Secret(service.token),
    apiRoot: service.url,
    allowFrom: [page.senderId],
  });
  return {
    url: page.url,
    withBots: (current) => ({
      ...current,
      workspace: workspaceOf(current),
      channels: { ...current.channels, telegram: bot(page.telegram), discord: bot(page.discord), more: [] },
    }),
    close: () => page.close(),
  };
}

/** The person whose sessions the chats use, so that the page and the browser show the same name. */
function writerOf({ channels, people }: Config): string {
  const [first = '', ...rest] = channels.person ?? people[0] ?? 'Somebody';
  return first.toUpperCase() + rest.join('');
}

/** The sample project, unless another folder is configured. */
function workspaceOf({ home, workspace }: Config): string {
  const projects = demoProjectsRoot(home);
  return workspace === projects ? join(projects, sampleProjectName) : workspace;
}
