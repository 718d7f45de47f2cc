// Builds the body of one request, with the marks of the prompt cache. Pure.
//
// The API takes at most four marks. We put them at the end of the tools, of the system prompt, of the prompt without
// its reminder, and of the whole request: the first two serve every session of an assistant, the third the next turn,
// the last the next round of tools.
import type { ContentBlock, Message } from '@parley/protocol';
import type { ServerTool, Tool } from '../../domain/tool.ts';
import { alternateRoles } from './history.ts';

/** The fields of a request body that we use. */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: true;
  readonly system: readonly ContentBlock[];
  readonly tools?: readonly ToolDefinition[];
  readonly tool_choice?: { readonly type: 'none' };
  readonly thinking?: { readonly type: 'adaptive'; readonly display: 'summarized' | 'omitted' };
  readonly messages: readonly Message[];
}

type ToolDefinition = Readonly<Record<string, unknown>>;

export interface RequestParts {
  readonly model: string;
  readonly maxTokens: number;
  readonly systemPrompt: string;
  readonly tools: readonly Tool[];
  readonly serverTools: readonly ServerTool[];
  /** When false, the tools stay listed, because the conversation may contain calls, but none may be called. */
  readonly allowTools: boolean;
  readonly earlier: readonly Message[];
  /** The prompt, and what followed it in this turn. */
  readonly current: readonly Message[];
  readonly reminder: string | undefined;
  readonly thinkingDisplay: 'summarized' | 'omitted' | undefined;
}

export function composeRequest(parts: RequestParts): MessagesRequest {
  const { thinkingDisplay } = parts;
  const tools = composeTools(parts);
  return {
    model: parts.model,
    max_tokens: parts.maxTokens,
    stream: true,
    system: [{ type: 'text', text: parts.systemPrompt, ...cacheMark }],
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || parts.allowTools ? {} : { tool_choice: { type: 'none' } }),
    ...(thinkingDisplay === undefined ? {} : { thinking: { type: 'adaptive', display: thinkingDisplay } }),
    messages: composeMessages(parts),
  };
}

const cacheMark = { cache_control: { type: 'ephemeral' } } as const;

function composeMessages({ earlier, current, reminder }: RequestParts): readonly Message[] {
  const [prompt, ...since] = current;
  if (prompt === undefined) throw new RangeError('a conversation needs a prompt');
  const asked: Message = { ...prompt, content: markLast(prompt.content) };
  const reminded: Message =
    reminder === undefined
      ? asked
      : { ...asked, content: [...asked.content, { type: 'text', text: reminder }] };
  const last = since.at(-1);
  const rest =
    last === undefined ? since : [...since.slice(0, -1), { ...last, content: markLast(last.content) }];
  return alternateRoles([...earlier, reminded, ...rest]);
}

/** Blocks are shared with the stored history, so the marked one is a copy. */
function markLast(content: readonly ContentBlock[]): ContentBlock[] {
  const last = content.at(-1);
  if (last === undefined || last.type === 'thinking' || last.type === 'redacted_thinking')
    return [...content];
  return [...content.slice(0, -1), { ...last, ...cacheMark }];
}

function composeTools({ tools, serverTools }: RequestParts): readonly ToolDefinition[] {
  const wire: readonly ToolDefinition[] = [
    ...serverTools.map(({ definition }) => definition),
    ...tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: 'object' },
    })),
  ];
  return wire.map((tool, at) => (at === wire.length - 1 ? { ...tool, ...cacheMark } : tool));
}
