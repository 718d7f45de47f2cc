// What people call the assistants that a key may use. Claude Code counts as one.
import { useHere } from '../../app/me.tsx';
import { useChoices } from '../../chat/assistants.ts';

const claudeCode = { name: 'claude-code', label: 'Claude Code' };

export function useKeyAssistants(): readonly { readonly name: string; readonly label: string }[] {
  const { assistants } = useChoices();
  const { rights } = useHere();
  return rights.includes('claude-code') ? [...assistants, claudeCode] : assistants;
}

export function useAssistantNames(): (name: string) => string {
  const known = useKeyAssistants();
  return (name) => known.find((one) => one.name === name)?.label ?? name;
}
