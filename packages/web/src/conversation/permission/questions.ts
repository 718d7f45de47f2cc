// The questions that the program asks, and the answers it gets.
import { record, records, text } from '../tools/read.ts';

export interface Question {
  readonly question: string;
  readonly header: string | undefined;
  readonly isMulti: boolean;
  readonly options: readonly { readonly label: string; readonly description: string | undefined }[];
}

/** What is chosen for one question; `other` is the person's own answer. */
export interface Chosen {
  readonly labels: readonly string[];
  readonly isOther: boolean;
  readonly other: string;
}

export const nothingChosen: Chosen = { labels: [], isOther: false, other: '' };

export function questionsOf(input: unknown): readonly Question[] {
  return records(record(input)['questions']).map((question) => ({
    question: text(question['question']) ?? '',
    header: text(question['header']),
    isMulti: question['multiSelect'] === true,
    options: records(question['options']).map((option) => ({
      label: text(option['label']) ?? '',
      description: text(option['description']),
    })),
  }));
}

/** A new choice replaces the old one, unless several may be chosen. */
export function choose(choice: Chosen, label: string, isMulti: boolean): Chosen {
  if (!isMulti) return { ...choice, labels: [label], isOther: false };
  const isChosen = choice.labels.includes(label);
  return {
    ...choice,
    labels: isChosen ? choice.labels.filter((one) => one !== label) : [...choice.labels, label],
  };
}

export function chooseOther(choice: Chosen, isMulti: boolean): Chosen {
  if (!isMulti) return { ...choice, labels: [], isOther: true };
  return { ...choice, isOther: !choice.isOther };
}

export function isAnswered(choice: Chosen): boolean {
  if (choice.isOther) return choice.other.trim() !== '';
  return choice.labels.length > 0;
}

/** Keyed by the text of the question. Several labels are joined into one text, as the program expects. */
export function answersOf(
  questions: readonly Question[],
  choices: readonly Chosen[],
): Record<string, string> {
  return Object.fromEntries(
    questions.map(({ question, isMulti }, at) => {
      const { labels, isOther, other } = choices[at] ?? nothingChosen;
      const all = [...labels, ...(isOther && other.trim() !== '' ? [other.trim()] : [])];
      return [question, isMulti ? all.join(', ') : (all[0] ?? '')];
    }),
  );
}
