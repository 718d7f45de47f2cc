// The sections of the settings with their icons and components. section-names.ts lists them.
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
import { AboutSection } from './about-section.tsx';
import { AccountSection } from './account/account-section.tsx';
import { AssistantsSection } from './assistants/assistants-section.tsx';
import { AuditSection } from './audit/audit-section.tsx';
import { BotsSection } from './bots/bots-section.tsx';
import { BudgetsSection } from './budgets/budgets-section.tsx';
import { KeysSection } from './keys/keys-section.tsx';
import { McpServersSection } from './mcp-servers/mcp-servers-section.tsx';
import { PeopleSection } from './people/people-section.tsx';
import { sectionNames } from './section-names.ts';
import { ServerSection } from './server-section.tsx';
import { WorkFoldersSection } from './work-folders/work-folders-section.tsx';

type SectionName = (typeof sectionNames)[number];
type SectionPart = Pick<Section, 'icon' | 'Part'>;

export interface Section extends Readonly<Pick<SectionName, 'path' | 'name'>> {
  readonly icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** Only people with this right see it. */
  readonly right?: Right;
  readonly Part: ComponentType;
}

const parts: Readonly<Record<SectionName['path'], SectionPart>> = {
  account: { icon: UserRound, Part: AccountSection },
  people: { icon: UsersRound, Part: PeopleSection },
  keys: { icon: KeyRound, Part: KeysSection },
  budgets: { icon: Wallet, Part: BudgetsSection },
  audit: { icon: ScrollText, Part: AuditSection },
  'mcp-servers': { icon: Blocks, Part: McpServersSection },
  assistants: { icon: Sparkles, Part: AssistantsSection },
  bots: { icon: Bot, Part: BotsSection },
  'work-folders': { icon: FolderLock, Part: WorkFoldersSection },
  server: { icon: SlidersHorizontal, Part: ServerSection },
  about: { icon: HeartPulse, Part: AboutSection },
};

export const sections: readonly Section[] = sectionNames.map((section) => ({
  ...section,
  ...parts[section.path],
}));
