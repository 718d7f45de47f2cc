// The chat channels of demo mode: stand-ins of Telegram and Discord, and a page on which a newcomer writes to the bots.
import { join } from 'node:path';
import { sampleProjectName, startChatPage } from '@parley/demo';
import type { Config } from '../config/schema.ts';
import { Secret } from '../config/secret.ts';
import { demoProjectsRoot } from './layout.ts';

export interface DemoChannels {
  /** Where the page is. */
  readonly url: string;
  /** The configuration with both bots on their stand-ins, instead of those that it may have. */
  readonly config: Config;
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
    config: {
      ...config,
      workspace: workspaceOf(config),
      channels: { ...config.channels, telegram: bot(page.telegram), discord: bot(page.discord), more: [] },
    },
    close: () => page.close(),
  };
}

/** Whoever the chats speak for, so that their sessions are found in the browser under the same name. */
function writerOf({ channels, people }: Config): string {
  const [first = '', ...rest] = channels.person ?? people[0] ?? 'Somebody';
  return first.toUpperCase() + rest.join('');
}

/** The sample project, unless somebody chose another folder. */
function workspaceOf({ home, workspace }: Config): string {
  const projects = demoProjectsRoot(home);
  return workspace === projects ? join(projects, sampleProjectName) : workspace;
}
