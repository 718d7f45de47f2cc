// Creates an API key: what it is for, whom it acts for, and how much it may do.
import type { CreatedApiKey } from '@parley/protocol';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAllAssistants } from '../../app/assistants.ts';
import { useHere } from '../../app/me.tsx';
import { usePeople } from '../../app/people.ts';
import { send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/notes.tsx';
import { SelectField } from '../../ui/select.tsx';

const dayMs = 86_400_000;

export function KeyForm({
  onCancel,
  onMade,
}: {
  onCancel: () => void;
  onMade: (made: CreatedApiKey) => void;
}) {
  const { person, rights } = useHere();
  const people = usePeople();
  const known = useAllAssistants();
  const [label, setLabel] = useState('');
  const [owner, setOwner] = useState<string>(person);
  const [chosen, setChosen] = useState<readonly string[]>();
  const [readOnly, setReadOnly] = useState(false);
  const [days, setDays] = useState('');
  const make = useMutation({
    mutationFn: () =>
      send<CreatedApiKey>('POST', '/api/keys', {
        label: label.trim(),
        ...(owner !== person && { for: owner }),
        ...(chosen && { assistants: chosen }),
        readOnly,
        ...(days !== '' && { expiresAt: Date.now() + Number(days) * dayMs }),
      }),
    onSuccess: onMade,
  });
  // Nobody else can act for somebody who has an account.
  const owners = people.filter((one) => one.person === person || (!one.account && !one.disabled));
  const toggle = (name: string) =>
    setChosen((before = []) =>
      before.includes(name) ? before.filter((one) => one !== name) : [...before, name],
    );
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <TextField
        label={t('Label')}
        hint={t('Something to recognize the key by, such as the program’s name.')}
        // The person just asked for this form.
        autoFocus
        required
        pattern=".*\S.*"
        maxLength={100}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
      />
      {rights.includes('keys') && owners.length > 1 && (
        <SelectField
          label={t('Acts for')}
          value={owner}
          options={owners.map((one) => ({ value: one.person, name: one.displayName }))}
          onChoose={setOwner}
        />
      )}
      <fieldset className="grid gap-2.5">
        <legend className="mb-2 font-medium text-sm">{t('Assistants')}</legend>
        <CheckField
          label={t('All, including those added later')}
          checked={chosen === undefined}
          onChange={({ target }) => setChosen(target.checked ? undefined : known.map(({ name }) => name))}
        />
        {chosen !== undefined &&
          known.map((one) => (
            <div key={one.name} className="pl-7">
              <CheckField
                label={one.label}
                checked={chosen.includes(one.name)}
                onChange={() => toggle(one.name)}
              />
            </div>
          ))}
      </fieldset>
      <CheckField
        label={t('Read-only')}
        hint={t(
          'It can read and follow conversations, but it can’t send messages, decide on permissions or change anything.',
        )}
        checked={readOnly}
        onChange={({ target }) => setReadOnly(target.checked)}
      />
      <SelectField
        label={t('Expires')}
        value={days}
        options={[
          { value: '', name: t('Never') },
          { value: '7', name: t('In 7 days') },
          { value: '30', name: t('In 30 days') },
          { value: '90', name: t('In 90 days') },
          { value: '365', name: t('In a year') },
        ]}
        onChoose={setDays}
      />
      {make.isError && <ErrorNote error={make.error} />}
      <DialogButtons onCancel={onCancel}>
        <Button look="primary" type="submit" disabled={make.isPending || chosen?.length === 0}>
          {t('Create key')}
        </Button>
      </DialogButtons>
    </form>
  );
}
