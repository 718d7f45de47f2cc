// The assistants of the chat: which there are, which one is chosen, and what to try with each.

import type { AssistantEntry } from '@parley/protocol';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { get } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { useHere } from './me.tsx';

export interface Choices {
  readonly assistants: readonly AssistantEntry[];
  /** The first one is the default. */
  readonly models: readonly string[];
}

const none: Choices = { assistants: [], models: [] };

const choices = queryOptions({
  queryKey: ['assistants'],
  queryFn: ({ signal }) => get<Choices>('/api/assistants', signal),
  staleTime: Infinity,
});

export function useChoices(): Choices {
  const { data } = useQuery({ ...choices, select: forChat });
  return data ?? none;
}

/** Claude Code has its own page. */
function forChat({ assistants, models }: Choices): Choices {
  const ofChat = assistants.filter(({ engine }) => engine === 'messages-api');
  return { assistants: ofChat.map((one) => ({ ...one, label: labelOf(one) })), models };
}

const claudeCode = { name: 'claude-code', label: 'Claude Code' };

/** The assistants that the person may use. Includes Claude Code, which keys and budgets treat as an assistant. */
export function useAllAssistants(): readonly { readonly name: string; readonly label: string }[] {
  const { assistants } = useChoices();
  const { rights } = useHere();
  return rights.includes('claude-code') ? [...assistants, claudeCode] : assistants;
}

export function useAssistantNames(): (name: string) => string {
  const known = useAllAssistants();
  return (name) => known.find((one) => one.name === name)?.label ?? name;
}

/** Translates the labels of the built-in assistants, unless the configuration changes them. */
function labelOf({ label }: AssistantEntry): string {
  if (label === 'Notes') return t('Notes');
  return label === 'Kitchen' ? t('Kitchen') : label;
}

/** The assistant chosen last on this device. */
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

/** The same assistant, for a message that is sent before the list has loaded. */
export async function chosenAssistant(queries: QueryClient, person: string): Promise<string> {
  const { assistants } = forChat(await queries.fetchQuery(choices));
  const assistant = pick(assistants, localStorage.getItem(keyOf(person)));
  if (!assistant) throw new Error(t('There are no assistants. Add one in the settings.'));
  return assistant.name;
}

function pick(assistants: readonly AssistantEntry[], name: string | null): AssistantEntry | undefined {
  return assistants.find((candidate) => candidate.name === name) ?? assistants[0];
}

function keyOf(person: string): string {
  return `parley.assistant.${person}`;
}

/** Things to try. The demo's scripted model understands only English. */
export function suggestionsFor(assistant: string, demo: boolean): readonly string[] {
  if (demo) return [...(demoSuggestions[assistant] ?? ['What can you do?']), 'A sample of Markdown, please'];
  switch (assistant) {
    case 'kitchen':
      return [t('What recipes do I have?'), t('Create a recipe for pumpkin soup')];
    case 'notes':
      return [t('What is on my shopping list?'), t('Summarize my notes')];
    default:
      return [];
  }
}

const demoSuggestions: Readonly<Record<string, readonly string[]>> = {
  kitchen: ['What recipes do I have?', 'Show me the Apple Crumble', 'Create a recipe for pumpkin soup'],
  notes: [
    'What is on my shopping list?',
    'Summarize my notes',
    'Write a note ideas.md saying Plant basil in May',
  ],
};
