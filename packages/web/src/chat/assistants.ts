// The assistants that can be talked to here, which one is meant, and what to try with each.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { get } from '../api/http.ts';

export interface AssistantEntry {
  readonly name: string;
  readonly label: string;
  readonly engine: string;
}

export interface Choices {
  readonly assistants: readonly AssistantEntry[];
  /** The first one answers unless another is chosen. */
  readonly models: readonly string[];
}

const none: Choices = { assistants: [], models: [] };

const choices = queryOptions({
  queryKey: ['assistants'],
  queryFn: ({ signal }) => get<Choices>('/api/assistants', signal),
  staleTime: Infinity,
});

export function useChoices(): Choices {
  const { data } = useQuery({ ...choices, select: toTalkTo });
  return data ?? none;
}

/** Those of the `claude` program have a page of their own. */
function toTalkTo({ assistants, models }: Choices): Choices {
  return { assistants: assistants.filter(({ engine }) => engine === 'messages-api'), models };
}

/** The one that was chosen last on this device. */
export function useChosenAssistant(person: string) {
  const key = keyOf(person);
  const { assistants } = useChoices();
  const [name, setName] = useState(() => localStorage.getItem(key));
  const choose = useCallback(
    (chosen: string) => {
      localStorage.setItem(key, chosen);
      setName(chosen);
    },
    [key],
  );
  return { assistant: pick(assistants, name), assistants, choose };
}

/** The same one, for whoever was faster than the list of them. */
export async function chosenAssistant(queries: QueryClient, person: string): Promise<string> {
  const { assistants } = toTalkTo(await queries.fetchQuery(choices));
  const assistant = pick(assistants, localStorage.getItem(keyOf(person)));
  if (!assistant) throw new Error('There is no assistant to talk to. Add one to the configuration.');
  return assistant.name;
}

function pick(assistants: readonly AssistantEntry[], name: string | null): AssistantEntry | undefined {
  return assistants.find((candidate) => candidate.name === name) ?? assistants[0];
}

function keyOf(person: string): string {
  return `parley.assistant.${person}`;
}

/** Things to try; in the demo its scripted mind understands each of them. */
export function suggestionsFor(assistant: string, demo: boolean): readonly string[] {
  const shown = demo ? ['A sample of Markdown, please'] : [];
  switch (assistant) {
    case 'kitchen':
      return [
        'What recipes do I have?',
        'Show me the Apple Crumble',
        'Create a recipe for pumpkin soup',
        ...shown,
      ];
    case 'notes':
      return [
        'What is on my shopping list?',
        'Summarize my notes',
        'Write a note ideas.md saying Plant basil in May',
        ...shown,
      ];
    default:
      return demo ? ['What can you do?', ...shown] : [];
  }
}
