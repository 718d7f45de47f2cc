// A tool call with its result, and what its subagent did below it.
import { type ReactNode, use } from 'react';
import { Markdown } from '../../ui/markdown.tsx';
import { Thinking } from '../items/thinking.tsx';
import { RunningContext, SettledContext, useTranscript } from '../items/transcript-context.ts';
import type { Item, ToolItem, ToolResult } from '../model/items.ts';
import { partialOf, threadOf } from '../model/transcript.ts';
import { describeTool, type ToolShape } from './describe-tool.ts';
import { Output, OutputText } from './output.tsx';
import { Part, ToolInput } from './tool-body.tsx';
import { ToolCard, type ToolState } from './tool-card.tsx';

/** These say at a glance what happened; others are opened by those who want to know. */
const openAtFirst = new Set<ToolShape>(['command', 'edit', 'todos', 'question', 'plan', 'agent']);

type RenderItem = (item: Item) => ReactNode;

/** Items of a subagent are drawn by whoever draws this one. */
export function ToolView({ item, renderItem }: { item: ToolItem; renderItem: RenderItem }) {
  const transcript = useTranscript();
  const isRunning = use(RunningContext);
  const settled = use(SettledContext).get(item.id);
  const result = transcript.results.get(item.id);
  const description = describeTool(item.name, item.input, transcript.facts.workingDir);
  const state = stateOf(result, settled?.behavior === 'deny', isRunning);
  const { shape } = description;
  return (
    <ToolCard description={description} state={state} isOpenAtFirst={openAtFirst.has(shape)}>
      <ToolInput shape={shape} input={item.input} details={result?.details} />
      {shape === 'agent' && <Subagent id={item.id} renderItem={renderItem} />}
      {result && <Result shape={shape} result={result} />}
    </ToolCard>
  );
}

function stateOf(result: ToolResult | undefined, isDenied: boolean, isRunning: boolean): ToolState {
  if (result) return result.isError ? (isDenied ? 'denied' : 'failed') : 'done';
  return isRunning ? 'running' : 'unfinished';
}

function Result({ shape, result }: { shape: ToolShape; result: ToolResult }) {
  if (result.isError) {
    return (
      <div className="border-line border-t">
        <Output result={result} />
      </div>
    );
  }
  switch (shape) {
    // The change itself says it all.
    case 'edit':
    case 'todos':
    case 'plan':
      return null;
    case 'agent':
      return result.text.startsWith('Async agent launched') ? null : (
        <div className="border-line border-t text-sm">
          <Part>
            <Markdown>{result.text}</Markdown>
          </Part>
        </div>
      );
    case 'read':
      return (
        <div className="border-line border-t">
          <Part>
            <OutputText text={withoutReminders(result.text)} />
          </Part>
        </div>
      );
    case 'command':
    case 'search':
    case 'web':
    case 'question':
    case 'other':
      return (
        <div className="border-line border-t">
          <Output result={result} />
        </div>
      );
    default:
      return shape satisfies never;
  }
}

/** What the program adds for the model only. */
function withoutReminders(text: string): string {
  return text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trimEnd();
}

function Subagent({ id, renderItem }: { id: string; renderItem: RenderItem }) {
  const transcript = useTranscript();
  const items = threadOf(transcript, id);
  const partial = partialOf(transcript, id);
  if (items.length === 0 && partial.length === 0) return null;
  return (
    <section
      aria-label="Subagent"
      className="grid gap-3 border-line border-t bg-paper py-3 pr-1 pl-4 text-sm"
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
