// All sections of the settings, and who sees them. The server decides what people may do; this only hides what would be refused.
import type { Right } from '@parley/protocol';
import {
  Blocks,
  Bot,
  FolderLock,
  HeartPulse,
  KeyRound,
  ScrollText,
  SlidersHorizontal,
  Sparkles,
  UserRound,
  UsersRound,
  Wallet,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { t } from '../i18n/translate.ts';
import { AboutSection } from './about-section.tsx';
import { AccountSection } from './account/account-section.tsx';
import { AssistantsSection } from './assistants/assistants-section.tsx';
import { AuditSection } from './audit/audit-section.tsx';
import { BotsSection } from './bots/bots-section.tsx';
import { BudgetsSection } from './budgets/budgets-section.tsx';
import { KeysSection } from './keys/keys-section.tsx';
import { McpServersSection } from './mcp-servers/mcp-servers-section.tsx';
import { PeopleSection } from './people/people-section.tsx';
import { ServerSection } from './server-section.tsx';
import { WorkFoldersSection } from './work-folders/work-folders-section.tsx';

export interface Section {
  /** The last part of its address. */
  readonly path: string;
  readonly name: () => string;
  readonly icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** Only people with this right see it. */
  readonly right?: Right;
  readonly Part: ComponentType;
}

export const sections: readonly Section[] = [
  { path: 'account', name: () => t('My account'), icon: UserRound, Part: AccountSection },
  { path: 'people', name: () => t('People'), icon: UsersRound, right: 'people', Part: PeopleSection },
  { path: 'keys', name: () => t('API keys'), icon: KeyRound, Part: KeysSection },
  { path: 'budgets', name: () => t('Budgets'), icon: Wallet, Part: BudgetsSection },
  { path: 'audit', name: () => t('Audit log'), icon: ScrollText, right: 'audit', Part: AuditSection },
  {
    path: 'mcp-servers',
    name: () => t('MCP servers'),
    icon: Blocks,
    right: 'settings',
    Part: McpServersSection,
  },
  {
    path: 'assistants',
    name: () => t('Assistants'),
    icon: Sparkles,
    right: 'settings',
    Part: AssistantsSection,
  },
  {
    path: 'bots',
    name: () => t('Bots'),
    icon: Bot,
    right: 'settings',
    Part: BotsSection,
  },
  {
    path: 'work-folders',
    name: () => t('Work folders'),
    icon: FolderLock,
    right: 'settings',
    Part: WorkFoldersSection,
  },
  {
    path: 'server',
    name: () => t('Server'),
    icon: SlidersHorizontal,
    right: 'settings',
    Part: ServerSection,
  },
  {
    path: 'about',
    name: () => t('About and health'),
    icon: HeartPulse,
    right: 'settings',
    Part: AboutSection,
  },
];
