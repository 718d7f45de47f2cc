// The assistants that can be talked to here, which one is meant, and what to try with each.
import { useQuery } from '@tanstack/react-query';
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

export function useChoices(): Choices {
  const { data } = useQuery({
    queryKey: ['assistants'],
    queryFn: ({ signal }) => get<Choices>('/api/assistants', signal),
    staleTime: Infinity,
    select: ({ assistants, models }) => ({
      assistants: assistants.filter(({ engine }) => engine === 'messages-api'),
      models,
    }),
  });
  return data ?? none;
}

/** The one that was chosen last on this device. */
export function useChosenAssistant(person: string) {
  const key = `parley.assistant.${person}`;
  const { assistants } = useChoices();
  const [name, setName] = useState(() => localStorage.getItem(key));
  const choose = useCallback(
    (chosen: string) => {
      localStorage.setItem(key, chosen);
      setName(chosen);
    },
    [key],
  );
  const assistant = assistants.find((candidate) => candidate.name === name) ?? assistants[0];
  return { assistant, assistants, choose };
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
