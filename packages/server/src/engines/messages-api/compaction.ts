// Compacting a conversation: the prompt `/compact` asks the model for a summary, which later turns get in place of
// everything before it. The turns themselves stay in the record. Pure.
import { type Message, messageText, type Prompt, promptText } from '@parley/protocol';
import type { SpokenTurn } from '../../domain/store.ts';

const command = /^\s*\/compact(?:\s+(?<focus>[\s\S]*))?$/;

/** The prompt that the model gets for it; undefined for any other prompt. */
export function compactionPrompt(prompt: Prompt): Message | undefined {
  const found = prompt.every(({ type }) => type === 'text') ? command.exec(promptText(prompt)) : null;
  if (!found) return undefined;
  const focus = found.groups?.['focus']?.trim();
  const text = [
    'Summarize our conversation so far, so that it can continue from your summary alone. Write it in the language of the conversation. Include what the person wants, what was decided and done, facts, names, numbers, files and their contents as far as they matter, and what is still open. Do not call tools. Answer with the summary only.',
    ...(focus ? [`The person asks to pay special attention to this: ${focus}`] : []),
  ].join('\n\n');
  return message('user', text);
}

/** The turns since the last summary, and what the model gets in place of the earlier ones. */
export function sinceCompaction(turns: readonly SpokenTurn[]): {
  readonly summary: readonly Message[];
  readonly later: readonly SpokenTurn[];
} {
  const last = turns.findLastIndex(isCompaction);
  return { summary: summaryIn(turns[last]), later: turns.slice(last + 1) };
}

function isCompaction({ messages: [asked, ...rest], end }: SpokenTurn): boolean {
  return (
    end === 'completed' && asked !== undefined && command.test(messageText(asked.content)) && rest.length > 0
  );
}

function summaryIn(turn: SpokenTurn | undefined): readonly Message[] {
  if (!turn) return [];
  const said = turn.messages.slice(1).map(({ content }) => messageText(content));
  return [
    message('user', `Summary of our conversation so far:\n\n${said.join('\n')}`),
    message('assistant', 'I continue from this summary.'),
  ];
}

function message(role: Message['role'], text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}
