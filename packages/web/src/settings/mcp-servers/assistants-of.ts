// Which assistants use an MCP server. An assistant names it in its tools; a built-in one gets an entry that extends it.
import type { SettingsView } from '@parley/protocol';
import { entriesAt, type Fields, fieldsOf, type Json, textsOf } from '../form/view.ts';

export interface Use {
  readonly assistant: string;
  readonly uses: boolean;
  /** False if the file sets it. */
  readonly editable: boolean;
}

export function usesOf(view: SettingsView, assistants: readonly string[], server: string): Use[] {
  const entries = entriesAt(view, 'assistants');
  return assistants.map((assistant) => {
    const entry = entries.find(({ name }) => name === assistant);
    return { assistant, uses: toolsOf(entry?.value).includes(server), editable: entry?.editable ?? true };
  });
}

/** The changes that make exactly these assistants use it, apart from those set in the file. */
export function usageChanges(
  view: SettingsView,
  uses: readonly Use[],
  server: string,
  wanted: readonly string[],
): Fields {
  const entries = entriesAt(view, 'assistants');
  const changed = uses.filter((use) => use.editable && use.uses !== wanted.includes(use.assistant));
  return Object.fromEntries(
    changed.map(({ assistant, uses: did }) => {
      const before = fieldsOf(
        entries.find(({ name }) => name === assistant)?.value ?? { extends: assistant },
      );
      const tools = did ? toolsOf(before).filter((tool) => tool !== server) : [...toolsOf(before), server];
      const after = { ...before, tools };
      return [`assistants.${assistant}`, addsNothing(after, assistant) ? null : after];
    }),
  );
}

/** An entry that only extended a built-in assistant with the server. */
function addsNothing(entry: Fields & { tools: Json }, assistant: string): boolean {
  const { extends: base, tools, name: _, ...rest } = entry;
  return base === assistant && Array.isArray(tools) && tools.length === 0 && Object.keys(rest).length === 0;
}

function toolsOf(value: Json | undefined): string[] {
  return textsOf(fieldsOf(value)['tools']);
}
