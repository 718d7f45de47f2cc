// A tool call with its result, and what its subagent did below it.
import { type ReactNode, use, useEffect } from 'react';
import { Markdown } from '../../ui/markdown.tsx';
import { Thinking } from '../items/thinking.tsx';
import { LoadSubagent, type Standing, StandingContext, useTranscript } from '../items/transcript-context.ts';
import type { Item, ToolItem, ToolResult } from '../model/items.ts';
import { text } from '../model/read.ts';
import { partialOf, threadOf } from '../model/transcript.ts';
import { describeTool, type ToolShape } from './describe-tool.ts';
import { sizeOfChange } from './patch.ts';
import { ToolInput } from './tool-body.tsx';
import { ToolCard, type ToolState } from './tool-card.tsx';
import { ResultView } from './tool-result.tsx';

/** These say at a glance what happened; others are opened by those who want to know. */
const openAtFirst = new Set<ToolShape>(['command', 'edit', 'todos', 'question', 'plan', 'agent']);

type RenderItem = (item: Item) => ReactNode;

/** Items of a subagent are drawn by whoever draws this one. */
export function ToolView({ item, renderItem }: { item: ToolItem; renderItem: RenderItem }) {
  const transcript = useTranscript();
  const result = transcript.results.get(item.id);
  const state = stateOf(item.id, result, use(StandingContext));
  const description = describeTool(item.name, item.input, transcript.facts.workingDir);
  const { shape } = description;
  // What waits for an answer stands in the card that asks for it.
  const isOpenAtFirst = openAtFirst.has(shape) && state !== 'waiting' && !isPlanElsewhere(shape, item);
  return (
    <ToolCard
      description={description}
      state={state}
      summary={<Summary shape={shape} item={item} result={result} />}
      isOpenAtFirst={isOpenAtFirst}
    >
      <Details shape={shape} item={item} result={result} />
      {shape === 'agent' && <Subagent id={item.id} isKept={result !== undefined} renderItem={renderItem} />}
      {result && <ResultView shape={shape} input={item.input} result={result} />}
    </ToolCard>
  );
}

function stateOf(id: string, result: ToolResult | undefined, standing: Standing): ToolState {
  if (result) {
    if (!result.isError) return 'done';
    const isDenied = result.isDenied || standing.settled.get(id)?.behavior === 'deny';
    return isDenied ? 'denied' : 'failed';
  }
  if (standing.asked.has(id)) return 'waiting';
  return standing.isRunning ? 'running' : 'unfinished';
}

/** The program keeps a plan in a file of its own, or the model says it before it asks. */
function isPlanElsewhere(shape: ToolShape, { input }: ToolItem): boolean {
  return shape === 'plan' && text(input['plan']) === undefined;
}

interface PartProps {
  readonly shape: ToolShape;
  readonly item: ToolItem;
  readonly result: ToolResult | undefined;
}

function Summary({ shape, item, result }: PartProps): ReactNode {
  const size = shape === 'edit' && !result?.isError ? sizeOfChange(item.input, result?.details) : undefined;
  if (!size) return null;
  return (
    <span className="tabular-nums">
      {size.added > 0 && <span className="text-good">+{size.added}</span>}{' '}
      {size.removed > 0 && <span className="text-danger">−{size.removed}</span>}
      <span className="sr-only"> lines</span>
    </span>
  );
}

/** The input, where the line above does not say all of it and the result does not show it. */
function Details({ shape, item: { input }, result }: PartProps) {
  switch (shape) {
    case 'read':
    case 'search':
      return result ? null : <ToolInput shape={shape} input={input} />;
    case 'web': {
      const asked = text(input['prompt']);
      return asked === undefined ? null : (
        <p className="whitespace-pre-wrap break-words px-3 py-2.5 text-soft text-xs">{asked}</p>
      );
    }
    case 'question':
      return result && !result.isError ? null : <ToolInput shape={shape} input={input} />;
    case 'command':
    case 'edit':
    case 'todos':
    case 'plan':
    case 'agent':
    case 'other':
      return <ToolInput shape={shape} input={input} details={result?.details} />;
    default:
      return shape satisfies never;
  }
}

function Subagent({ id, isKept, renderItem }: { id: string; isKept: boolean; renderItem: RenderItem }) {
  const transcript = useTranscript();
  const load = use(LoadSubagent);
  const items = threadOf(transcript, id);
  const partial = partialOf(transcript, id);
  const isMissing = isKept && items.length === 0;
  useEffect(() => {
    if (isMissing) load(id);
  }, [isMissing, load, id]);
  if (items.length === 0 && partial.length === 0) return null;
  return (
    <section
      aria-label="Subagent"
      className="grid grid-cols-1 gap-3 border-line border-t bg-paper py-3 pr-1 pl-4 text-sm"
    >
      {items.map((item) => (item.kind === 'prompt' ? null : renderItem(item)))}
      {partial.map((block) =>
        block.kind === 'thinking' ? (
          <Thinking key={block.index} text={block.text} isLive />
        ) : (
          block.kind === 'text' && (
            <Markdown key={block.index} isStreaming>
              {block.text}
            </Markdown>
          )
        ),
      )}
    </section>
  );
}
