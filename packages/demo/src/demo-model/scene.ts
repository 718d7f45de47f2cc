// A request as the demo model sees it: what the person asked, what was done about it in this turn, and what is known
// from earlier turns.
import type {
  DocumentBlock,
  ImageBlock,
  MessagesBody,
  WireMessage,
  WireTool,
} from '../anthropic/messages-wire.ts';
import { blocksOf, resultText, systemText, typedText } from '../anthropic/request-reading.ts';
import { withoutReminders } from './reading.ts';

export type DoneCall = {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly failed: boolean;
};

export type Scene = {
  /** The person's last message, cut to a length that the rules can handle. */
  readonly said: string;
  /** What the person said before, oldest first. */
  readonly saidBefore: readonly string[];
  readonly images: readonly ImageBlock[];
  readonly documents: readonly DocumentBlock[];
  /** The answered tool calls since the person's last message, oldest first. */
  readonly done: readonly DoneCall[];
  /** All answered tool calls of the conversation, including `done`. */
  readonly everDone: readonly DoneCall[];
  /** What the client itself wrote in the last message, such as a subagent's report that `claude` passes on. */
  readonly notice: string | undefined;
  readonly tools: ReadonlyMap<string, WireTool>;
  /** Tools that `claude` announces but loads only on request. */
  readonly deferredTools: readonly string[];
  /** What clients tell the model in addition to the person's words. */
  readonly briefing: string;
};

const longestMessage = 20_000;

/** Loads deferred tools. Loading one doesn't count as a step. */
const loader = 'ToolSearch';

export function readScene(body: MessagesBody): Scene {
  const asked = body.messages.findLastIndex((message) => message.role === 'user' && isTyped(message));
  const last = body.messages[asked];
  const briefing = readBriefing(body);
  return {
    said: last === undefined ? '' : typedText(last).slice(0, longestMessage),
    saidBefore: body.messages
      .slice(0, Math.max(0, asked))
      .flatMap((message) => (message.role === 'user' ? [typedText(message).slice(0, 200)] : []))
      .filter((text) => text !== ''),
    images: last === undefined ? [] : blocksOf(last).filter((block) => block.type === 'image'),
    documents: last === undefined ? [] : blocksOf(last).filter((block) => block.type === 'document'),
    done: doneCalls(body.messages.slice(asked + 1)),
    everDone: doneCalls(body.messages),
    notice: readNotice(body),
    tools: new Map((body.tools ?? []).map((tool) => [tool.name, tool])),
    deferredTools: readDeferredTools(briefing),
    briefing,
  };
}

function isTyped(message: WireMessage): boolean {
  return (
    typedText(message) !== '' || blocksOf(message).some(({ type }) => type === 'image' || type === 'document')
  );
}

function readNotice(body: MessagesBody): string | undefined {
  const last = body.messages.findLast((message) => message.role !== 'system');
  if (last === undefined || isTyped(last)) return undefined;
  const texts = blocksOf(last).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

function doneCalls(messages: readonly WireMessage[]): readonly DoneCall[] {
  const blocks = messages.flatMap(blocksOf);
  const results = new Map(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [])),
  );
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_use' || block.name === loader) return [];
    const result = results.get(block.id);
    if (result === undefined) return [];
    return [
      {
        name: block.name,
        input: block.input,
        result: withoutReminders(resultText(result)),
        failed: result.is_error === true,
      },
    ];
  });
}

/** `claude` briefs the model in the system prompt, in system messages, and in reminders among the person's words. */
function readBriefing(body: MessagesBody): string {
  const reminders = body.messages
    .filter((message) => message.role !== 'assistant')
    .flatMap((message) =>
      blocksOf(message).flatMap((block) => (block.type === 'text' ? [{ message, text: block.text }] : [])),
    )
    .filter(({ message, text }) => message.role === 'system' || text.startsWith('<system-reminder>'))
    .map(({ text }) => text);
  return [systemText(body), ...reminders].join('\n');
}

function readDeferredTools(briefing: string): readonly string[] {
  const names = /deferred tools are now available[^\n]*\n((?:[\w-]+(?:\n|$))+)/.exec(briefing)?.[1] ?? '';
  return names.split('\n').filter((name) => name !== '');
}
