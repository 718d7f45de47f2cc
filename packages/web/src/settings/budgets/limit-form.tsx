// The limit of a budget: asked for when one is added, and changed on its own later.
import type { Budget, BudgetRule, BudgetUnit } from '@parley/protocol';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/notes.tsx';

interface FormProps {
  readonly onCancel: () => void;
  readonly onDone: () => void;
}

export function LimitForm({ budget, ...form }: FormProps & { budget: Budget }) {
  const { scope, subject, period, unit } = budget;
  const [limit, setLimit] = useState(String(budget.limit));
  const rule = { scope, period, unit, ...(subject !== undefined && { subject }), limit: Number(limit) };
  return (
    <RuleForm {...form} rule={rule}>
      <LimitField unit={unit} limit={limit} onLimit={setLimit} />
    </RuleForm>
  );
}

/** Saves the rule, and stays open with everything that was typed if that fails. */
export function RuleForm({
  rule,
  onCancel,
  onDone,
  children,
}: FormProps & { rule: BudgetRule; children: ReactNode }) {
  const save = useMutation({
    mutationFn: () => send<Budget>('PUT', '/api/budgets', rule),
    onSuccess: onDone,
  });
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {children}
      {save.isError && <ErrorNote error={save.error} />}
      <DialogButtons onCancel={onCancel}>
        <Button look="primary" type="submit" disabled={save.isPending}>
          {t('Save')}
        </Button>
      </DialogButtons>
    </form>
  );
}

export function LimitField({
  unit,
  limit,
  onLimit,
}: {
  unit: BudgetUnit;
  limit: string;
  onLimit: (limit: string) => void;
}) {
  return (
    <TextField
      label={unit === 'usd' ? t('Limit in dollars') : t('Limit in tokens')}
      hint={t('Takes effect at once. 0 stops all requests.')}
      type="number"
      inputMode="decimal"
      min={0}
      max={1e15}
      step="any"
      required
      value={limit}
      onChange={({ target }) => onLimit(target.value)}
    />
  );
}
