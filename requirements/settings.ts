// Settings that people change in the app.
import { promisesOf } from './requirement.ts';

export const settings = promisesOf(6, {
  'team.settings.layer.order':
    'A setting from the app overrides the default, and is overridden by the configuration file, the environment and flags.',
  'team.settings.layer.entries':
    'The app can add MCP servers, assistants and bots to those of the configuration file, which keeps its own.',
  'team.settings.layer.bad-ignored':
    'A stored setting that is invalid is reported and ignored; it never keeps the server from starting.',
  'team.settings.programs':
    'Settings that start programs or let others in (MCP servers with a command, bots, work roots) need an owner with an account.',
  'team.settings.invited':
    'Bots, work folders and the terminal can be for people who were invited; the doctor reports names that nobody has.',
  'team.settings.origins': '`parley config` shows where each value comes from, the app included.',
  'team.settings.change':
    'A setting that is changed in the app takes effect without a restart and survives one; removing it restores the default.',
  'team.settings.fixed':
    'The app shows a value that the configuration file, the environment or a flag sets as fixed, and refuses to change it.',
  'team.settings.problems':
    'A change with invalid values is refused as a whole, with all problems at once and in the words of the configuration.',
  'team.settings.conflict':
    'Of two people who change the same setting, the second gets a conflict; changes to different settings do not collide.',
  'team.settings.crash':
    'After a crash or a full disk in the middle of saving, the settings are the old ones or the new ones.',
  'team.settings.mcp':
    'MCP servers and assistants can be added, changed and removed while the server runs; servers that stay the same are not touched.',
  'team.settings.running-turn': 'A running turn finishes with the tools that it had at its start.',
  'team.settings.mcp-test':
    'An MCP server can be tried before it is saved: it is started, lists its tools, and is stopped, within a time limit.',
  'team.settings.bots':
    'A bot can be set up, opened to people, turned off and removed while the server runs.',
  'team.settings.bots-restart':
    'A change restarts only the affected bots; no message is lost and no answer is sent twice.',
  'team.settings.bots-test': 'The token of a bot can be tried before it is saved.',
  'team.settings.right': 'Only people with the right `settings` can see, change and try settings.',
  'team.settings.secrets.write-only':
    'A secret that was set never appears in a response, the log, an error, a report or the audit log.',
  'team.settings.page.mcp':
    'In the app, an owner adds, tries and removes MCP servers and chooses the assistants that use them; chats use them at once.',
  'team.settings.page.assistants': 'In the app, an owner adds, changes and removes assistants.',
  'team.settings.page.bots':
    'In the app, an owner adds bots, tries their tokens, turns them off and removes them.',
  'team.settings.page.work-folders':
    'In the app, an owner sets where Claude Code may work, with which sandbox and for whom; it takes effect at once.',
  'team.settings.page.origins':
    'For a value that the file, the environment or a flag sets, the app shows where it comes from and that it cannot be changed there.',
  'team.settings.page.problems':
    'The app shows what is wrong at the field concerned, and keeps what was typed.',
  'team.settings.page.conflict':
    'If somebody else has changed a setting in the meantime, the app shows the new value and keeps what was typed.',
  'team.settings.page.ignored': 'The app shows stored settings that are not used, and removes them.',
});
