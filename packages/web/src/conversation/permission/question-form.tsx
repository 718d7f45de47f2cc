// Questions with options: choose one or several, or write your own answer.

import type { Decision, PendingPermission } from '@parley/protocol';
import { useId } from 'react';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { answerName, useStoredText } from '../stored-text.ts';
import { record } from '../tools/read.ts';
import {
  answersOf,
  type Chosen,
  choose,
  chooseOther,
  isAnswered,
  nothingChosen,
  type Question,
  questionsOf,
} from './questions.ts';

export function QuestionForm({
  permission: { id, request },
  isDeciding,
  onDecide,
}: {
  permission: PendingPermission;
  isDeciding: boolean;
  onDecide: (decision: Decision) => void;
}) {
  const { input } = request;
  const questions = questionsOf(input);
  const [stored, store] = useStoredText(answerName(id));
  const choices =
    stored === '' ? questions.map(() => nothingChosen) : (JSON.parse(stored) as readonly Chosen[]);
  const setChoices = (changed: readonly Chosen[]) => store(JSON.stringify(changed));
  const isComplete = choices.every(isAnswered);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete) return;
        // The program expects the answers as part of the tool's input.
        const updatedInput = { ...record(input), answers: answersOf(questions, choices) };
        onDecide({ behavior: 'allow', scope: 'once', updatedInput });
      }}
    >
      {questions.map((question, at) => (
        <QuestionFields
          key={question.question}
          question={question}
          choice={choices[at] ?? nothingChosen}
          onChoice={(choice) => setChoices(choices.map((one, index) => (index === at ? choice : one)))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" className="min-h-10" disabled={!isComplete || isDeciding}>
          {t('Answer')}
        </Button>
        <Button
          look="quiet"
          className="min-h-10"
          disabled={isDeciding}
          onClick={() => onDecide({ behavior: 'deny', message: 'The person does not want to answer this.' })}
        >
          {t('Skip')}
        </Button>
      </div>
    </form>
  );
}

function QuestionFields({
  question: { question, header, isMulti, options },
  choice,
  onChoice,
}: {
  question: Question;
  choice: Chosen;
  onChoice: (choice: Chosen) => void;
}) {
  const name = useId();
  const type = isMulti ? 'checkbox' : 'radio';
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm">
        {header !== undefined && (
          <span className="mr-2 rounded-full bg-accent-wash px-2 py-0.5 font-medium text-accent text-xs">
            {header}
          </span>
        )}
        {question}
        {isMulti && <span className="ms-1 text-faint">{t('Select all that apply.')}</span>}
      </legend>
      <div className="grid gap-1.5">
        {options.map(({ label, description }) => (
          <label
            key={label}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-line px-3 py-2.5 text-sm hover:bg-sunken has-checked:border-accent has-checked:bg-accent-wash"
          >
            <input
              type={type}
              name={name}
              checked={choice.labels.includes(label)}
              onChange={() => onChoice(choose(choice, label, isMulti))}
              className="mt-0.5 size-4 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">{label}</span>
              {description !== undefined && <span className="block text-soft text-xs">{description}</span>}
            </span>
          </label>
        ))}
        <label className="flex cursor-pointer items-center gap-3 rounded-lg border border-line px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-wash">
          <input
            type={type}
            name={name}
            checked={choice.isOther}
            onChange={() => onChoice(chooseOther(choice, isMulti))}
            className="size-4 accent-accent"
          />
          <span className="font-medium">{t('Other')}</span>
          <input
            aria-label={t('Other answer to: {question}', { question })}
            placeholder={t('In your own words')}
            value={choice.other}
            onFocus={() => !choice.isOther && onChoice(chooseOther(choice, isMulti))}
            onChange={(event) =>
              onChoice({
                ...(choice.isOther ? choice : chooseOther(choice, isMulti)),
                other: event.target.value,
              })
            }
            className="h-8 min-w-0 flex-1 rounded-md border border-line bg-paper px-2 outline-none placeholder:text-faint focus:border-accent"
          />
        </label>
      </div>
    </fieldset>
  );
}
