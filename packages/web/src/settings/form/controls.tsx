// Form controls for settings: secrets, lists, pairs of names and values, and several choices out of a few.
import { Plus, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { t } from '../../i18n/translate.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, FieldNote, type Labeled, TextArea, TextField } from '../../ui/field.tsx';
import { fieldsOf, isStoredSecret, type Json } from './view.ts';

interface Control<Value> extends Labeled {
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Write-only: shows that a secret is set, and accepts a new one. */
export function SecretField({ value, onChange, required = false, ...rest }: Control<Json>) {
  const isSet = rest.disabled ? t('Already set.') : t('Already set. Type to replace it.');
  const kept = isStoredSecret(value) ? isSet : undefined;
  return (
    <TextField
      {...rest}
      type="password"
      // Not a login: browsers must neither fill it in nor offer to save it.
      autoComplete="new-password"
      className="font-mono"
      required={required && !isStoredSecret(value)}
      placeholder={kept ?? rest.placeholder}
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** One per line. */
export function LinesField({ value, onChange, ...rest }: Control<readonly string[]>) {
  return (
    <TextArea
      {...rest}
      rows={Math.min(Math.max(value.length, 3), 10)}
      className="font-mono"
      spellCheck={false}
      value={value.join('\n')}
      onChange={({ target }) => onChange(target.value === '' ? [] : target.value.split('\n'))}
    />
  );
}

/** Drops the empty lines that typing leaves. */
export function lines(value: readonly string[]): string[] {
  return value.map((line) => line.trim()).filter((line) => line !== '');
}

export type Pair = readonly [name: string, value: Json];

/** Names and values, such as headers or variables. */
export function PairsField({
  label,
  hint,
  problem,
  disabled = false,
  value,
  onChange,
  names,
  values,
  isSecret = false,
}: Control<readonly Pair[]> & {
  /** What the two columns are. */
  readonly names: string;
  readonly values: string;
  readonly isSecret?: boolean;
}) {
  const id = useId();
  const set = (at: number, pair: Pair) => onChange(value.map((one, index) => (index === at ? pair : one)));
  return (
    <fieldset className="grid gap-1.5" aria-describedby={`${id}-note`} disabled={disabled}>
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      {value.map(([name, one], at) => (
        // Rows have no identity but their index.
        <div key={at} className="flex items-center gap-1.5">
          <input
            aria-label={names}
            placeholder={names}
            spellCheck={false}
            autoCapitalize="none"
            className={cell}
            value={name}
            onChange={({ target }) => set(at, [target.value, one])}
          />
          <input
            aria-label={values}
            placeholder={isStoredSecret(one) ? t('Already set. Type to replace it.') : values}
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            className={cell}
            value={typeof one === 'string' ? one : ''}
            onChange={({ target }) => set(at, [name, target.value])}
          />
          <IconButton
            label={name === '' ? t('Remove') : t('Remove {name}', { name })}
            onClick={() => onChange(value.toSpliced(at, 1))}
          >
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button look="quiet" className="-ml-3.5" onClick={() => onChange([...value, ['', '']])}>
          <Plus size={16} aria-hidden />
          {t('Add')}
        </Button>
      </div>
      <FieldNote id={`${id}-note`} hint={hint} problem={problem} />
    </fieldset>
  );
}

const cell =
  'min-h-10 w-full min-w-0 flex-1 rounded-lg border border-line bg-paper px-3 font-mono text-base text-ink placeholder:font-sans placeholder:text-faint sm:text-sm disabled:opacity-60';

export function pairsOf(value: Json | undefined): readonly Pair[] {
  return Object.entries(fieldsOf(value));
}

/** Rows without a name and a value are dropped. */
export function fromPairs(pairs: readonly Pair[]): Record<string, Json> {
  return Object.fromEntries(
    pairs
      .map(([name, value]) => [name.trim(), value] as const)
      .filter(([name, value]) => name !== '' || value !== ''),
  );
}

/** Any number of a few options. */
export function ManyField({
  label,
  hint,
  problem,
  options,
  value,
  onChange,
}: Control<readonly string[]> & {
  readonly options: readonly {
    readonly value: string;
    readonly name: string;
    readonly hint?: string;
    readonly disabled?: boolean;
  }[];
}) {
  const id = useId();
  return (
    <fieldset className="grid gap-2.5" aria-describedby={`${id}-note`}>
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <FieldNote id={`${id}-note`} hint={hint} problem={problem} />
      <div className="grid gap-2.5 sm:grid-cols-2">
        {options.map((option) => (
          <CheckField
            key={option.value}
            label={option.name}
            {...(option.hint !== undefined && { hint: option.hint })}
            disabled={option.disabled}
            checked={value.includes(option.value)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...value, option.value] : value.filter((one) => one !== option.value),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Settings that few people need. Opens if something in it is wrong. */
export function More({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  return (
    <details open={isOpen || undefined}>
      <summary className="cursor-pointer text-soft text-sm">{t('More settings')}</summary>
      <div className="mt-4 grid gap-5">{children}</div>
    </details>
  );
}
