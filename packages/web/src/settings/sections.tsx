// All sections of the settings, and who sees them. The server decides what people may do; this only hides what would be refused.
import type { Right } from '@parley/protocol';
import { HeartPulse, KeyRound } from 'lucide-react';
import type { ComponentType } from 'react';
import { t } from '../i18n/translate.ts';
import { AboutSection } from './about-section.tsx';
import { KeysSection } from './keys/keys-section.tsx';

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
  { path: 'keys', name: () => t('API keys'), icon: KeyRound, Part: KeysSection },
  {
    path: 'about',
    name: () => t('About and health'),
    icon: HeartPulse,
    right: 'settings',
    Part: AboutSection,
  },
];
