// Translates whole messages: what the model and the person said, tool calls and their results, and what the program
// writes on the person's behalf.
import { stripVTControlCharacters } from 'node:util';
import { type Fields, number, record, text } from '../fields.ts';
import type { ContentBlock } from '../frames/bodies.ts';
import type { FrameOfKind } from '../frames/frame.ts';
import { commandIn, commandOutputIn, isInterruption, taskNotificationIn } from '../frames/program-tags.ts';
import { callEnding } from './call-ending.ts';
import type { ClaudeEvent, MetadataEvent } from './event.ts';
import { tasksAfterCall, tasksAfterResult } from './tasks.ts';
import {
  parentOf,
  remember,
  subagentOf,
  type Translation,
  type TranslationState,
  withCall,
  withoutCall,
} from './translation-state.ts';
import { tokenCounts } from './usage.ts';

const toolBlocks: ReadonlySet<string> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);
const agentTools: ReadonlySet<string> = new Set(['Task', 'Agent']);
/** The program writes this as the model's answer if there is none. */
const nothingToSay = 'No response requested.';

export function isToolBlock({ type }: ContentBlock): boolean {
  return toolBlocks.has(type);
}

/** Reports the text of a whole message only if no stream reported it in pieces, and its tokens only once. */
export function fromAssistant(frame: FrameOfKind<'assistant'>, state: TranslationState): Translation {
  const { message } = frame.body;
  const parentToolUseId = parentOf(frame);
  const problem = problemIn(frame);
  if (problem !== undefined) {
    return { events: [announcement('api-error', problem, { tone: 'danger' })], state };
  }
  const content = message.content.filter(
    (block) => message.model !== '<synthetic>' || block.text !== nothingToSay,
  );
  const isStreamed = message.id !== undefined && state.streamed.includes(message.id);
  const events: ClaudeEvent[] = isStreamed ? [] : content.flatMap((block) => outputOf(block, frame));
  if (content.length > 0) {
    const { id: messageId } = message;
    events.push({
      type: 'metadata',
      kind: 'message',
      role: 'assistant',
      content,
      messageId,
      parentToolUseId,
    });
  }
  let next = state;
  for (const block of content) {
    if (!isToolBlock(block)) continue;
    events.push(toolCall(block, parentToolUseId, true));
    next = afterCall(next, block, subagentOf(frame, state));
  }
  const context = subagentOf(frame, state) === undefined ? contextOf(message) : undefined;
  if (context) events.push(context);
  if (context?.model !== undefined) next = { ...next, model: context.model };
  if (message.id === undefined || !message.usage || state.counted.includes(message.id)) {
    return { events, state: next };
  }
  events.push({ type: 'metric', scope: 'message', messageId: message.id, ...tokenCounts(message.usage) });
  return { events, state: { ...next, counted: remember(next.counted, message.id) } };
}

export function toolCall(
  { id, name = '', input }: ContentBlock,
  parentToolUseId: string | undefined,
  complete: boolean,
): ClaudeEvent {
  return { type: 'metadata', kind: 'tool_use', id, name, input, complete, parentToolUseId };
}

export function fromUser(frame: FrameOfKind<'user'>, state: TranslationState): Translation {
  const { content } = frame.body.message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const results = blocks.filter((block) => block.type === 'tool_result');
  const events: ClaudeEvent[] = wordsIn(frame, blocks);
  if (results.length === 0 && frame.uuid !== undefined) {
    // The program repeats an input when it starts to work on it.
    events.push({ type: 'metadata', kind: 'input_state', uuid: frame.uuid, state: 'started' });
  }
  const details = record(frame.body.tool_use_result ?? frame.body.toolUseResult);
  let next = events.some(saysInterrupted) && !state.isInterrupted ? { ...state, isInterrupted: true } : state;
  for (const block of results) {
    events.push(toolResult(frame, block, details, state));
    if (block.tool_use_id === undefined) continue;
    const result = { id: block.tool_use_id, failed: block.is_error === true, result: details };
    const tasks = tasksAfterResult(next.tasks, result);
    if (tasks.list !== next.tasks.list) events.push({ type: 'metadata', kind: 'tasks', tasks: tasks.list });
    next = withoutCall(tasks === next.tasks ? next : { ...next, tasks }, block.tool_use_id);
  }
  return { events, state: next };
}

function saysInterrupted(event: ClaudeEvent): boolean {
  return event.type === 'metadata' && event.kind === 'announcement' && event.code === 'interrupted';
}

/** An error of the model's service appears in place of an answer. */
function problemIn({ body }: FrameOfKind<'assistant'>): string | undefined {
  const kind = text(body.error);
  if (body.isApiErrorMessage !== true && kind === undefined) return undefined;
  const words = body.message.content.map((block) => block.text ?? '').join('');
  return words === '' ? `The model reported an error${kind ? `: ${kind}` : ' without a message'}.` : words;
}

function outputOf(block: ContentBlock, frame: FrameOfKind<'assistant'>): ClaudeEvent[] {
  const said = block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : undefined;
  if (said === undefined || said === '') return [];
  const channel = block.type === 'text' ? 'text' : 'thinking';
  const messageId = frame.body.message.id;
  return [{ type: 'output', channel, text: said, messageId, parentToolUseId: parentOf(frame) }];
}

function afterCall(
  state: TranslationState,
  { id, name = '', input }: ContentBlock,
  subagent: string | undefined,
): TranslationState {
  if (id === undefined) return state;
  const next = withCall(state, id, name);
  if (subagent !== undefined) return next;
  const tasks = tasksAfterCall(state.tasks, { id, name, input });
  return { ...next, tasks, ...(agentTools.has(name) && { lastAgent: id }) };
}

type Context = Extract<MetadataEvent, { kind: 'context' }>;

/** Everything the model read for this answer, plus the answer itself. */
function contextOf({ model, usage }: FrameOfKind<'assistant'>['body']['message']): Context | undefined {
  const counts = Object.values(tokenCounts(usage ?? {}));
  const tokens = counts.reduce((sum, count) => sum + (number(count) ?? 0), 0);
  const isNamed = model !== undefined && model !== '<synthetic>';
  if (!isNamed && tokens === 0) return undefined;
  return { type: 'metadata', kind: 'context', ...(isNamed && { model }), ...(tokens > 0 && { tokens }) };
}

function toolResult(
  frame: FrameOfKind<'user'>,
  block: ContentBlock,
  details: Fields,
  { calls }: TranslationState,
): ClaudeEvent {
  const { tool_use_id: toolUseId, is_error: isError = false, content } = block;
  return {
    type: 'metadata',
    kind: 'tool_result',
    toolUseId,
    name: calls.get(toolUseId ?? '') ?? '',
    isError,
    ...callEnding(frame.body, block),
    content,
    details: smallFields(details),
    parentToolUseId: parentOf(frame),
  };
}

const MAX_FIELD_CHARS = 64 * 1024;

/** Leaves out large fields, because the program repeats whole files here. */
function smallFields(details: Fields): Fields | undefined {
  const small = Object.entries(details).filter(([, value]) => {
    const length = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
    return length <= MAX_FIELD_CHARS;
  });
  return small.length === 0 ? undefined : Object.fromEntries(small);
}

/** What a person typed or attached, or what the program writes on the person's behalf. */
function wordsIn(frame: FrameOfKind<'user'>, blocks: readonly ContentBlock[]): ClaudeEvent[] {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : []));
  const others = blocks.filter((block) => block.type !== 'text');
  const words = texts.join('\n\n');
  const said = (content: readonly ContentBlock[]): ClaudeEvent[] =>
    content.length === 0
      ? []
      : [
          {
            type: 'metadata',
            kind: 'message',
            role: 'user',
            content,
            messageId: undefined,
            parentToolUseId: parentOf(frame),
          },
        ];
  if (words.trim() === '') return said(others);
  const announced = announcementIn(words);
  if (announced) return [...said(others), announced];
  const typed = commandIn(words);
  if (typed !== undefined) return said([{ type: 'text', text: typed }, ...others]);
  // The program added this context for the model; nobody typed it.
  if (frame.body.isMeta === true || frame.body.isSynthetic === true) {
    return said(others.filter((block) => block.type === 'tool_result'));
  }
  if (frame.body.isCompactSummary === true) {
    return [
      ...said(others),
      announcement('summarized', 'Earlier messages were summarized.', { detail: words }),
    ];
  }
  return said(blocks);
}

/** Recognizes texts in which the program itself reports something. */
function announcementIn(words: string): ClaudeEvent | undefined {
  if (isInterruption(words)) return announcement('interrupted', 'Interrupted');
  const output = commandOutputIn(words);
  if (output !== undefined) return commandOutput(output);
  const task = taskNotificationIn(words);
  return task && announcement('task', task.summary ?? 'A background task reported.', { detail: task.result });
}

export function commandOutput(output: string): ClaudeEvent {
  return announcement('command-output', 'Output of the command', {
    detail: stripVTControlCharacters(output),
  });
}

type Announcement = Extract<MetadataEvent, { kind: 'announcement' }>;
const MAX_DETAIL_CHARS = 256 * 1024;

export function announcement(
  code: Announcement['code'],
  sentence: string,
  {
    tone = 'plain',
    detail,
  }: { readonly tone?: Announcement['tone']; readonly detail?: string | undefined } = {},
): Announcement {
  return {
    type: 'metadata',
    kind: 'announcement',
    code,
    text: sentence,
    tone,
    detail: text(detail)?.slice(0, MAX_DETAIL_CHARS),
  };
}
