// The schema of parley.config.json. A new section is one file in sections/, one line in the schema and one in the list
// of chapters.
import type { PersonName } from '@parley/protocol';
import { z } from 'zod';
import type { WorkRoot } from '../domain/work-folders.ts';
import { access } from './sections/access.ts';
import { assistants } from './sections/assistants.ts';
import { budgets } from './sections/budgets.ts';
import { channels } from './sections/channels.ts';
import { claudeCode } from './sections/claude.ts';
import { cluster } from './sections/cluster.ts';
import { database } from './sections/database.ts';
import { limits } from './sections/limits.ts';
import { linkedin } from './sections/linkedin.ts';
import { mcp } from './sections/mcp.ts';
import { models } from './sections/models.ts';
import { openid } from './sections/openid.ts';
import { people } from './sections/people.ts';
import { proxy } from './sections/proxy.ts';
import { push } from './sections/push.ts';
import { server } from './sections/server.ts';
import { web } from './sections/web.ts';
import { settingsOf } from './setting.ts';

export const Settings = z.strictObject({
  ...server,
  ...database,
  ...cluster,
  ...people,
  ...access,
  ...openid,
  ...models,
  ...claudeCode,
  ...assistants,
  ...mcp,
  ...web,
  ...linkedin,
  ...channels,
  ...push,
  ...proxy,
  ...budgets,
  limits,
});
export type Settings = z.output<typeof Settings>;

export const allSettings = settingsOf(Settings);

/** The chapters of docs/configuration.md. */
export const chapters: readonly { readonly title: string; readonly settings: z.core.$ZodLooseShape }[] = [
  { title: 'The server', settings: server },
  { title: 'The database', settings: database },
  { title: 'Several servers', settings: cluster },
  { title: 'People and their notes', settings: people },
  { title: 'Access', settings: access },
  { title: 'OpenID Connect', settings: openid },
  { title: 'The model', settings: models },
  { title: 'Claude Code', settings: claudeCode },
  { title: 'Assistants', settings: assistants },
  { title: 'MCP servers', settings: mcp },
  { title: 'The web', settings: web },
  { title: 'LinkedIn', settings: linkedin },
  { title: 'Telegram and Discord', settings: channels },
  { title: 'Notifications', settings: push },
  { title: 'Proxy', settings: proxy },
  { title: 'Budgets', settings: budgets },
  { title: 'Limits', settings: { limits } },
];

/** The effective settings, with absolute paths and everything that follows from them. */
export interface Config extends Omit<Settings, 'demo' | 'people' | 'vaultRoot' | 'workRoots' | 'workspace'> {
  readonly demo: boolean;
  readonly people: readonly PersonName[];
  readonly vaultRoot: string;
  /** Where Claude Code may work; nowhere if empty. */
  readonly workRoots: readonly WorkRoot[];
  /** Where the program works for Telegram and Discord chats. */
  readonly workspace: string;
  /** Where the data is: `home`, or `demo` inside it in demo mode. */
  readonly dataDir: string;
  /** The configuration file, if there is one. */
  readonly file?: string;
}
