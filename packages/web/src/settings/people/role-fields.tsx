// Choosing a role, and the assistants of a guest.
import { useChoices } from '../../app/assistants.ts';
import { t } from '../../i18n/translate.ts';
import { CheckField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { roleNames } from '../roles.ts';
import type { RoleChoice } from './people-changes.ts';

const hints = {
  owner: () => t('Can do everything, including inviting people and changing this server’s settings.'),
  member: () => t('Can use all assistants and Claude Code.'),
  guest: () => t('Can use only the assistants that you choose, and not Claude Code.'),
};
const roles = ['member', 'guest', 'owner'] as const;

export function RoleFields({
  role,
  assistants,
  onChange,
}: RoleChoice & { onChange: (choice: RoleChoice) => void }) {
  const { assistants: known } = useChoices();
  const toggle = (name: string) =>
    assistants.includes(name) ? assistants.filter((one) => one !== name) : [...assistants, name];
  return (
    <>
      <SelectField
        label={t('Role')}
        hint={hints[role]()}
        value={role}
        options={roles.map((value) => ({ value, name: roleNames[value]() }))}
        onChoose={(chosen) => onChange({ role: chosen, assistants })}
      />
      {role === 'guest' && (
        <fieldset className="grid gap-2.5">
          <legend className="mb-2 font-medium text-sm">{t('Assistants')}</legend>
          {known.map(({ name, label }) => (
            <CheckField
              key={name}
              label={label}
              checked={assistants.includes(name)}
              onChange={() => onChange({ role, assistants: toggle(name) })}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

/** A guest without assistants could do nothing. */
export function isComplete({ role, assistants }: RoleChoice): boolean {
  return role !== 'guest' || assistants.length > 0;
}
