// Adds a budget: whose spending counts, in which period, and how much it may be.
import type { BudgetPeriod, BudgetScope, BudgetUnit } from '@parley/protocol';
import { useState } from 'react';
import { useAllAssistants } from '../../app/assistants.ts';
import { usePeople } from '../../app/people.ts';
import { t } from '../../i18n/translate.ts';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { periodName } from './budget-words.ts';
import { LimitField, RuleForm } from './limit-form.tsx';

const scopeNames: Record<BudgetScope, () => string> = {
  everybody: () => t('Everybody together'),
  person: () => t('People'),
  assistant: () => t('Assistants'),
  chat: () => t('Bot chats'),
  session: () => t('Sessions'),
};

const scopes = Object.keys(scopeNames) as readonly BudgetScope[];
const periods: readonly BudgetPeriod[] = ['day', 'month'];

export function BudgetForm({ onCancel, onDone }: { onCancel: () => void; onDone: () => void }) {
  const [scope, setScope] = useState<BudgetScope>('person');
  const [subject, setSubject] = useState('');
  const [period, setPeriod] = useState<BudgetPeriod>('month');
  const [unit, setUnit] = useState<BudgetUnit>('usd');
  const [limit, setLimit] = useState('');
  const wanted = scope === 'everybody' ? '' : subject.trim();
  const rule = { scope, period, unit, limit: Number(limit), ...(wanted !== '' && { subject: wanted }) };
  return (
    <RuleForm rule={rule} onCancel={onCancel} onDone={onDone}>
      <SelectField
        label={t('Applies to')}
        value={scope}
        options={scopes.map((value) => ({ value, name: scopeNames[value]() }))}
        onChoose={(chosen) => {
          setScope(chosen);
          setSubject('');
        }}
      />
      <Subject scope={scope} subject={subject} onSubject={setSubject} />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label={t('Period')}
          value={period}
          options={periods.map((value) => ({ value, name: periodName(value) }))}
          onChoose={setPeriod}
        />
        <SelectField
          label={t('Unit')}
          value={unit}
          options={[
            { value: 'usd', name: t('Dollars') },
            { value: 'tokens', name: t('Tokens') },
          ]}
          onChoose={setUnit}
        />
      </div>
      <LimitField unit={unit} limit={limit} onLimit={setLimit} />
    </RuleForm>
  );
}

/** Which one the budget is for. If empty, each one gets its own. */
function Subject({
  scope,
  subject,
  onSubject,
}: {
  scope: BudgetScope;
  subject: string;
  onSubject: (subject: string) => void;
}) {
  const people = usePeople();
  const assistants = useAllAssistants();
  const among = (label: string, each: string, all: readonly { value: string; name: string }[]) => (
    <SelectField
      label={label}
      value={subject}
      options={[{ value: '', name: each }, ...all]}
      onChoose={onSubject}
    />
  );
  const typed = (label: string) => (
    <TextField
      label={label}
      hint={t('Leave empty to give each one this budget.')}
      value={subject}
      maxLength={200}
      onChange={({ target }) => onSubject(target.value)}
    />
  );
  switch (scope) {
    case 'everybody':
      return null;
    case 'person':
      return among(
        t('Which person'),
        t('Each person'),
        people.map((one) => ({ value: one.person, name: one.displayName })),
      );
    case 'assistant':
      return among(
        t('Which assistant'),
        t('Each assistant'),
        assistants.map(({ name, label }) => ({ value: name, name: label })),
      );
    case 'chat':
      return typed(t('Chat key'));
    case 'session':
      return typed(t('Session ID'));
    default:
      return scope satisfies never;
  }
}
