// The names of all sections of the settings, and who sees them. The palette finds them without loading the settings. The
// server decides what people may do; this only hides what would be refused.
import type { Right } from '@parley/protocol';
import { t } from '../i18n/translate.ts';

interface SectionName {
  /** The last part of its address. */
  readonly path: string;
  readonly name: () => string;
  /** Only people with this right see it. */
  readonly right?: Right;
}

export const sectionNames = [
  { path: 'account', name: () => t('My account') },
  { path: 'people', name: () => t('People'), right: 'people' },
  { path: 'keys', name: () => t('API keys') },
  { path: 'budgets', name: () => t('Budgets') },
  { path: 'audit', name: () => t('Audit log'), right: 'audit' },
  { path: 'mcp-servers', name: () => t('MCP servers'), right: 'settings' },
  { path: 'assistants', name: () => t('Assistants'), right: 'settings' },
  { path: 'bots', name: () => t('Bots'), right: 'settings' },
  { path: 'work-folders', name: () => t('Work folders'), right: 'settings' },
  { path: 'server', name: () => t('Server'), right: 'settings' },
  { path: 'about', name: () => t('About and health'), right: 'settings' },
] as const satisfies readonly SectionName[];

export function visibleSections(rights: readonly Right[]): readonly SectionName[] {
  const all: readonly SectionName[] = sectionNames;
  return all.filter(({ right }) => right === undefined || rights.includes(right));
}
