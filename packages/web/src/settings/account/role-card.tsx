// What my role lets me do here.
import type { Right } from '@parley/protocol';
import { Check } from 'lucide-react';
import { useChoices } from '../../app/assistants.ts';
import { useHere } from '../../app/me.tsx';
import { i18n, t } from '../../i18n/translate.ts';
import { Card } from '../../ui/card.tsx';
import { roleNames } from '../roles.ts';

const abilities: Readonly<Record<Right, () => string>> = {
  'all-assistants': () => t('Use all assistants'),
  'claude-code': () => t('Use Claude Code'),
  terminal: () => t('Use the terminal, where the settings allow it'),
  'bypass-permissions': () => t('Let Claude Code work without asking'),
  'trust-folders': () => t('Trust folders'),
  'share-links': () => t('Share parts of conversations by link'),
  people: () => t('Invite people, change their roles and remove their accounts'),
  keys: () => t('See and revoke everybody’s API keys'),
  budgets: () => t('Set budgets'),
  settings: () => t('Change the settings of this server'),
  programs: () => t('Set up programs, bots and work folders'),
  audit: () => t('Search the audit log'),
};

export function RoleCard() {
  const { role, rights } = useHere();
  const { assistants } = useChoices();
  const all = rights.map((right) => abilities[right]());
  const list = new Intl.ListFormat(i18n.locale);
  const may =
    all.length > 0
      ? all
      : [t('Use these assistants: {names}', { names: list.format(assistants.map(({ label }) => label)) })];
  return (
    <Card title={t('My role: {role}', { role: roleNames[role ?? 'guest']() })}>
      <ul className="grid gap-2 text-sm">
        {may.map((ability) => (
          <li key={ability} className="flex items-start gap-2.5">
            <Check size={16} aria-hidden className="mt-0.5 shrink-0 text-good" />
            {ability}
          </li>
        ))}
      </ul>
    </Card>
  );
}
