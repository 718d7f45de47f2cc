// The assistants: the built-in ones, and those that the configuration adds, extends or replaces.
import type { Assistant } from '../domain/assistant.ts';
import { kitchen } from './kitchen.ts';
import { notes } from './notes.ts';

/** An assistant in the configuration. It has a label and a prompt, or extends another one. */
export interface ConfiguredAssistant {
  readonly name: string;
  readonly extends?: string | undefined;
  readonly label?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly tools: readonly string[];
  readonly reminder?: Assistant['reminder'] | undefined;
}

/** By name. Later entries replace earlier ones. */
export function assistantsOf(configured: readonly ConfiguredAssistant[]): ReadonlyMap<string, Assistant> {
  const all = new Map<string, Assistant>([notes, kitchen].map((assistant) => [assistant.name, assistant]));
  for (const entry of configured) {
    const base = entry.extends === undefined ? undefined : all.get(entry.extends);
    all.set(entry.name, combined(entry, base));
  }
  return all;
}

function combined(
  { name, label, systemPrompt, tools, reminder }: ConfiguredAssistant,
  base: Assistant | undefined,
): Assistant {
  const kept = reminder ?? base?.reminder;
  return {
    name,
    label: label ?? base?.label ?? name,
    systemPrompt: [base?.systemPrompt, systemPrompt].filter((text) => text !== undefined).join('\n\n'),
    tools: [...new Set([...(base?.tools ?? []), ...tools])],
    ...(kept && { reminder: kept }),
  };
}
