// Lists what a settings file or a list of MCP servers makes the program run or apply. A setting counts unless it is
// known to be harmless, so that settings of newer versions of the program are not overlooked. Pure.
import type { FolderRun } from '@parley/protocol';
import { isRecord } from '../../../basics/is-record.ts';

export interface Run extends Omit<FolderRun, 'file'> {
  /** Everything that the file says about it: `detail` is only what a person needs to see. */
  readonly source: unknown;
}

/** Settings that only change how the program looks, speaks or asks. Not `cleanupPeriodDays`, which deletes transcripts. */
const harmless = new Set([
  '$schema',
  'alwaysThinkingEnabled',
  'attribution',
  'companyAnnouncements',
  'effortLevel',
  'fallbackModel',
  'includeCoAuthoredBy',
  'includeGitInstructions',
  'language',
  'model',
  'outputStyle',
  'prefersReducedMotion',
  'respectGitignore',
  'showTurnDuration',
  'spinnerTipsEnabled',
  'theme',
]);
/** Permission rules that only forbid or ask. */
const careful = new Set(['ask', 'deny', 'disableAutoMode', 'disableBypassPermissionsMode']);

const helpers = new Set([
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'fileSuggestion',
  'gcpAuthRefresh',
  'otelHeadersHelper',
  'policyHelpers',
  'processWrapper',
  'proxyAuthHelper',
  'statusLine',
  'subagentStatusLine',
]);

export function settingsRuns(settings: Readonly<Record<string, unknown>>): Run[] {
  return Object.entries(settings)
    .filter(([key]) => !harmless.has(key))
    .flatMap(([key, value]) => settingRuns(key, value));
}

function settingRuns(key: string, value: unknown): Run[] {
  if (helpers.has(key)) return [{ kind: 'helper', name: key, detail: commandOf(value), source: value }];
  const parts = isRecord(value) ? Object.entries(value) : undefined;
  switch (parts && key) {
    case 'hooks':
      return (parts ?? []).flatMap(([event, groups]) => hookRuns(event, groups));
    case 'env':
      return (parts ?? []).map(([name, one]) => ({ kind: 'env', name, detail: text(one), source: one }));
    case 'permissions':
      return (parts ?? []).filter(([name]) => !careful.has(name)).flatMap(permissionRuns);
    case 'enabledPlugins':
    case 'extraKnownMarketplaces':
      return (parts ?? []).map(([name, one]) => ({ kind: 'plugin', name, detail: text(one), source: one }));
    default:
      return [{ kind: 'setting', name: key, detail: text(value), source: value }];
  }
}

/** Each event has a list of groups, and each group a list of hooks. */
function hookRuns(event: string, groups: unknown): Run[] {
  return listOf(groups).flatMap((group) =>
    listOf(isRecord(group) ? group['hooks'] : group).map(
      (hook): Run => ({ kind: 'hook', name: event, detail: commandOf(hook), source: group }),
    ),
  );
}

function permissionRuns([name, rules]: [string, unknown]): Run[] {
  return listOf(rules).map((rule) => ({ kind: 'permission', name, detail: text(rule), source: rule }));
}

/** The content of a `.mcp.json`. */
export function serverRuns(content: Readonly<Record<string, unknown>>): Run[] {
  const servers = content['mcpServers'];
  if (!isRecord(servers)) return Object.keys(content).length === 0 ? [] : [mcp('mcpServers', content)];
  return Object.entries(servers).map(([name, server]) => mcp(name, server));
}

function mcp(name: string, server: unknown): Run {
  return { kind: 'mcp', name, detail: commandOf(server), source: server };
}

/** The command line or the address of a hook, a helper or a server. */
function commandOf(value: unknown): string {
  if (!isRecord(value)) return text(value);
  const { command, args, url } = value;
  if (typeof command === 'string') return [command, ...listOf(args).map(text)].join(' ').trim();
  return typeof url === 'string' ? url : text(value);
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
