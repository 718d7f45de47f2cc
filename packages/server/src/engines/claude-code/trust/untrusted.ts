// How the program starts in a folder that nobody trusts: only with the user's own settings, and without the folder's
// MCP servers. Prompts that the folder schedules are not settings to the program, so they have a separate switch.
import type { ClaudeOptions } from '@parley/claude-cli';
import type { TurnEvent } from '@parley/protocol';
import type { FolderLook } from '../../../domain/folder-trust.ts';

export type FolderState = Pick<FolderLook, 'isTrusted' | 'digest'>;

/** Two starts with the same key use the same configuration of the folder. */
export function configurationKey({ isTrusted, digest }: FolderState): string {
  return isTrusted ? digest : 'untrusted';
}

export function trustOptions({ isTrusted }: FolderState): ClaudeOptions {
  return isTrusted ? {} : { setting_sources: ['user'], strict_mcp: true };
}

/** The same for the program's own screen. */
export function trustArguments({ isTrusted }: FolderState): readonly string[] {
  return isTrusted ? [] : ['--setting-sources=user', '--strict-mcp-config'];
}

export function trustVariables({ isTrusted }: FolderState): Readonly<Record<string, string>> {
  return isTrusted ? {} : { CLAUDE_CODE_DISABLE_CRON: '1' };
}

/** Tells the person that the folder's configuration is not used. */
export const untrustedNotice: TurnEvent = {
  type: 'notice',
  code: 'untrusted_folder',
  message:
    'Nobody has trusted this folder yet, so its hooks, MCP servers, settings and CLAUDE.md are not used. ' +
    'Open the session in the Parley app to see what they would run, and to trust them.',
  tone: 'warn',
};
