// A card with several settings that are saved together. Each control follows from the schema of its value.
import type { SettingState, SettingsView } from '@parley/protocol';
import { useState } from 'react';
import { serverText } from '../../i18n/server-text.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { fromPairs, LinesField, lines, type Pair, PairsField, pairsOf, SecretField } from './controls.tsx';
import { FormEnd, SaveProblems } from './parts.tsx';
import { problemAt } from './problems.ts';
import { useSaving } from './saving.ts';
import { type Json, numberOf, placeText, settingAt, textOf, textsOf } from './view.ts';

export interface LabeledSetting {
  readonly key: string;
  readonly label: string;
}

/** What was typed, and the revision that it is based on. */
type Draft = Readonly<Record<string, { readonly typed: Json; readonly revision: number }>>;

export function SettingGroup({
  view,
  title,
  hint,
  settings,
}: {
  view: SettingsView;
  title: string;
  hint?: string;
  settings: readonly LabeledSetting[];
}) {
  const [draft, setDraft] = useState<Draft>({});
  const discard = () => {
    setDraft({});
    saving.reset();
  };
  const saving = useSaving(discard);
  const changed = settings.map(({ key }) => settingAt(view, key)).filter(({ key }) => key in draft);
  const type = (state: SettingState, typed: Json) => {
    if (state.schema['secret'] === true && typed === '') {
      // The person deleted what they typed; the stored secret stays.
      setDraft(Object.fromEntries(Object.entries(draft).filter(([key]) => key !== state.key)));
      return;
    }
    const revision = draft[state.key]?.revision ?? state.revision;
    setDraft({ ...draft, [state.key]: { typed, revision } });
  };
  return (
    <Card title={title} {...(hint !== undefined && { hint })}>
      <form
        aria-label={title}
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          saving.save(
            changed.map((state) => {
              const { typed = null, revision = 0 } = draft[state.key] ?? {};
              return { key: state.key, value: storedValue(state, typed), revision };
            }),
          );
        }}
      >
        {settings.map(({ key, label }) => {
          const state = settingAt(view, key);
          const { typed } = draft[key] ?? { typed: state.value };
          return (
            <div key={key} className="grid gap-1.5">
              <SettingControl
                state={state}
                label={label}
                problem={problemAt(saving.problems, key)}
                value={typed}
                onChange={(value) => type(state, value)}
              />
              <Origin
                state={state}
                label={label}
                onReset={() => type(state, null)}
                isReset={draft[key]?.typed === null}
              />
            </div>
          );
        })}
        <SaveProblems
          saving={saving}
          fields={settings.map(({ key }) => key)}
          view={view}
          onDiscard={discard}
        />
        {changed.length > 0 && (
          <FormEnd saving={saving} applies={changed[0]?.applies ?? null} onCancel={discard} />
        )}
      </form>
    </Card>
  );
}

/** An empty field means the default. */
function storedValue({ schema: { type } }: SettingState, typed: Json): Json {
  if (typed === '' || typed === null) return null;
  if (type === 'integer') return numberOf(textOf(typed));
  if (type === 'array') return lines(textsOf(typed));
  return type === 'object' && Array.isArray(typed) ? fromPairs(typed as unknown as Pair[]) : typed;
}

function SettingControl({
  state: { schema, meaning, editable },
  label,
  problem,
  value,
  onChange,
}: {
  state: SettingState;
  label: string;
  problem: string | undefined;
  value: Json;
  onChange: (value: Json) => void;
}) {
  const { type, enum: choices, default: usual = null } = schema;
  const common = { label, hint: <Meaning text={serverText(meaning)} />, problem, disabled: !editable };
  if (schema['secret'] === true) return <SecretField {...common} value={value} onChange={onChange} />;
  if (Array.isArray(choices)) {
    const names = textsOf(choices).map((choice) => ({ value: choice, name: choice }));
    const options = usual === null ? [{ value: '', name: t('Default') }, ...names] : names;
    return <SelectField {...common} value={textOf(value ?? usual)} options={options} onChoose={onChange} />;
  }
  switch (type) {
    case 'boolean':
      return (
        <CheckField
          {...common}
          checked={(value ?? usual) === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      );
    case 'array':
      return (
        <LinesField {...common} value={textsOf(value ?? usual)} onChange={(list) => onChange([...list])} />
      );
    case 'object':
      return (
        <PairsField
          {...common}
          names={t('ID')}
          values={t('Person')}
          // A list of pairs while it is edited, because names may be empty or occur twice.
          value={Array.isArray(value) ? (value as unknown as Pair[]) : pairsOf(value)}
          onChange={(pairs) => onChange(pairs.map((pair) => [...pair]))}
        />
      );
    default:
  }
  const Field = textOf(usual).includes('\n') ? TextArea : TextField;
  return (
    <Field
      {...common}
      inputMode={type === 'integer' ? 'numeric' : 'text'}
      placeholder={textOf(usual) || serverText(textOf(schema['fallback'])).replaceAll('`', '')}
      value={textOf(value)}
      onChange={({ target }: { target: { value: string } }) => onChange(target.value)}
    />
  );
}

/** The server's text, with names between backticks. */
function Meaning({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // The parts never move.
      <code key={at} className="font-mono">
        {part}
      </code>
    ),
  );
}

/** Where the value comes from, and a button to reset it. */
function Origin({
  state: { origin, revision, overridden, schema },
  label,
  isReset,
  onReset,
}: {
  state: SettingState;
  label: string;
  isReset: boolean;
  onReset: () => void;
}) {
  const place = placeText(origin);
  const isSecret = schema['secret'] === true;
  return (
    <>
      {place !== undefined && <p className="break-words text-soft text-xs">{place}</p>}
      {revision > 0 && !isReset && (
        <div className="flex flex-wrap items-center gap-x-2 text-soft text-xs">
          {overridden && t('The value set in the app is not used.')}
          <Button
            look="quiet"
            className="-ml-2 min-h-7 px-2 text-xs"
            aria-label={
              isSecret ? t('Remove {name}', { name: label }) : t('Reset to default: {name}', { name: label })
            }
            onClick={onReset}
          >
            {isSecret || overridden ? t('Remove') : t('Reset to default')}
          </Button>
        </div>
      )}
      {isReset && <p className="text-soft text-xs">{t('Resets to the default when you save.')}</p>}
    </>
  );
}
