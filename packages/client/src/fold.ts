// Folds events into what a conversation shows. Pure. It reads only what events mean: the JSON of a frame is carried
// along and never parsed. An event that the view already contains changes nothing, so a reader may resume from any
// number it has seen, and lines of the past may repeat live frames.
import { type Meaning, type SessionEvent, totalTokens } from '@parley/protocol';
import { documentsOf, picturesOf, resultsOf, splitFiles, string, textOf } from './content.ts';
import { Draft } from './draft.ts';
import { base, type Entry, type Origin } from './entry.ts';
import { foldGatewayEvent, isEcho } from './fold-gateway-event.ts';
import { type ConversationView, emptyView, mainThread, type PartialBlock } from './view.ts';

export function foldEntry(view: ConversationView, entry: Entry): ConversationView {
  return foldEntries(view, [entry]);
}

/** Adds entries at the end. Cheaper than adding them one by one. */
export function foldEntries(view: ConversationView, entries: readonly Entry[]): ConversationView {
  const draft = new Draft(view);
  entries.forEach((entry, at) => {
    fold(draft, entry, { unnumbered: `${view.memory.pages}.${at}` });
  });
  return draft.finish();
}

/** Puts an older page before everything. Facts and state stay as the newer events left them. */
export function foldOlder(view: ConversationView, entries: readonly Entry[]): ConversationView {
  return putBefore(view, entries, undefined);
}

/** Puts an older page of a subagent before the part that is loaded. Its entries don't have to name the subagent. */
export function foldSubagent(
  view: ConversationView,
  call: string,
  entries: readonly Entry[],
): ConversationView {
  return putBefore(view, entries, call);
}

function putBefore(
  view: ConversationView,
  entries: readonly Entry[],
  thread: string | undefined,
): ConversationView {
  const pages = view.memory.pages + 1;
  const draft = new Draft({ ...emptyView, seen: view.seen });
  entries.forEach((entry, at) => {
    fold(draft, entry, { unnumbered: `${pages}.${at}`, thread });
  });
  if (view.running === undefined) draft.failRunningTools();
  const older = draft.finish();
  const subagents = new Map(view.subagents);
  for (const [call, items] of older.subagents)
    subagents.set(call, [...items, ...(subagents.get(call) ?? [])]);
  return {
    ...view,
    items: older.items.length > 0 ? [...older.items, ...view.items] : view.items,
    subagents: older.subagents.size > 0 ? subagents : view.subagents,
    tools: new Map([...older.tools, ...view.tools]),
    seen: older.seen,
    memory: { ...view.memory, pages },
  };
}

function fold(
  draft: Draft,
  entry: Entry,
  { unnumbered, thread }: { readonly unnumbered: string; readonly thread?: string | undefined },
): void {
  const { seq, event } = entry;
  if (seq !== undefined) {
    if (seq <= draft.view.seq) return;
    draft.view.seq = seq;
  }
  const id = (event.type === 'frame' ? event.uuid : undefined) ?? String(seq ?? unnumbered);
  let items = 0;
  const nextKey = () => {
    items += 1;
    return `${id}:${items}`;
  };
  if (event.type !== 'frame') {
    const origin = { entry, thread: thread ?? mainThread, frame: undefined, nextKey };
    foldMeaning(draft, origin, event);
    return;
  }
  if (draft.view.memory.turn?.hasFrames === false) draft.rememberTurn({ hasFrames: true });
  // Pieces are never lines of the past, and too many to remember.
  const isWhole = event.means.some((meaning) => !meaning.type.endsWith('.delta'));
  const origin = { entry, thread: thread ?? event.subagent ?? mainThread, frame: event.raw, nextKey };
  // When a message starts again or is complete, drop what was written of it so far.
  if (event.piece === 'first' || event.piece === 'last') draft.clearWritten(origin.thread);
  const isNew = !isWhole || event.uuid === undefined || draft.admit(event.uuid);
  for (const meaning of event.means) {
    if (isNew) foldMeaning(draft, origin, meaning);
    else foldRepetition(draft, origin.thread, meaning);
  }
  if (event.uuid === draft.view.memory.turn?.id) draft.rememberTurn({ isEchoed: true });
}

function foldMeaning(draft: Draft, origin: Origin, event: Exclude<SessionEvent, { type: 'frame' }>): void {
  const { thread, frame, entry, nextKey } = origin;
  const isMain = thread === mainThread;
  switch (event.type) {
    case 'text.delta':
      draft.write(thread, nextKey, { kind: 'text', text: event.text });
      return;
    case 'thinking.delta':
      draft.write(thread, nextKey, { kind: 'thinking', text: event.text });
      return;
    case 'tool.delta':
      draft.write(thread, nextKey, { kind: 'tool', text: event.json, tool: event.tool, id: event.id });
      return;
    case 'message':
      if (event.role === 'assistant') foldAnswer(draft, origin, event);
      else foldUserMessage(draft, origin, event);
      return;
    case 'tool.started':
      startTool(draft, origin, event);
      return;
    case 'tool.progress':
      draft.changeTool(event.id, { progress: event.message });
      return;
    case 'tool.ended':
      draft.clearWritten(event.id);
      draft.changeTool(event.id, {
        outcome: event.outcome,
        ...(event.denied && { denied: true, reason: event.reason }),
        ...(event.stopped && { stopped: true }),
        ...(event.details && { details: event.details }),
      });
      return;
    case 'artifact':
      draft.add(thread, { ...base(origin), kind: 'artifact', artifact: event.kind, id: event.id });
      if (entry.seq !== undefined) draft.view.recipe = { id: event.id, seq: entry.seq };
      return;
    case 'todos':
      if (isMain) draft.view.todos = event.todos;
      return;
    case 'notice':
      foldNotice(draft, origin, event);
      return;
    case 'usage':
      if (!isMain) return;
      draft.rememberTurn({
        model: event.model,
        ...(event.durationMs !== undefined && { durationMs: event.durationMs }),
        ...(frame !== undefined && { frame }),
      });
      if (event.totalCostUsd !== undefined) draft.learn({ totalCostUsd: event.totalCostUsd });
      // Without frames, each usage is for one request.
      if (frame === undefined && draft.view.facts.contextWindow !== undefined)
        draft.learn({ contextTokens: totalTokens(event.usage) });
      return;
    case 'context':
      if (!isMain) return;
      report(draft, { model: event.model });
      if (event.tokens !== undefined) draft.learn({ contextTokens: event.tokens });
      if (event.window !== undefined) draft.learn({ contextWindow: event.window });
      return;
    case 'program':
      if (isMain) foldProgram(draft, event);
      return;
    case 'unknown':
      draft.add(thread, { ...base(origin), kind: 'raw', name: event.name });
      return;
    default:
      foldGatewayEvent(draft, origin, event);
  }
}

type Of<Type extends Meaning['type']> = Extract<Meaning, { type: Type }>;

/** The whole message replaces what was being written. */
function foldAnswer(draft: Draft, origin: Origin, { content }: Of<'message'>): void {
  const { thread, frame } = origin;
  for (const block of content) {
    const writtenAs = draft.dropWritten(thread, kindOf(block.type))?.key;
    switch (block.type) {
      case 'text': {
        const text = string(block['text']);
        if (text.trim() === '') break;
        draft.add(thread, { ...base(origin), kind: 'text', text, writtenAs });
        if (thread === mainThread) draft.rememberTurn({ hasText: true });
        break;
      }
      case 'thinking': {
        const text = string(block['thinking']);
        if (text.trim() !== '') draft.add(thread, { ...base(origin), kind: 'thinking', text, writtenAs });
        break;
      }
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        // A stored message comes without the `tool.started` event.
        if (frame === undefined && origin.entry.seq === undefined && typeof block['id'] === 'string')
          startTool(draft, origin, { id: block['id'], tool: string(block['name']), input: block['input'] });
        break;
      default:
    }
  }
  // A frame may hold only one block of a message, while the next one is already being written.
  if (frame === undefined) draft.clearWritten(thread);
}

/** Results of tools, and what a person says. */
function foldUserMessage(draft: Draft, origin: Origin, { content }: Of<'message'>): void {
  const { thread, frame } = origin;
  for (const { id, isError, text, pictures } of resultsOf(content)) {
    const isRunning = draft.view.tools.get(id)?.outcome === 'running';
    draft.changeTool(id, {
      text,
      pictures,
      frame,
      ...(isRunning && { outcome: isError ? 'failed' : 'finished' }),
    });
  }
  const { text, files } = splitFiles(textOf(content));
  const pictures = picturesOf(content);
  const attached = [...documentsOf(content), ...files];
  if (text.trim() === '' && pictures.length === 0 && attached.length === 0) return;
  if (thread === mainThread && isEcho(draft, text)) return;
  const { event, turnId, author } = origin.entry;
  const promptId = event.type === 'frame' ? event.uuid : turnId;
  draft.add(thread, { ...base(origin), kind: 'prompt', promptId, author, text, pictures, files: attached });
}

function startTool(
  draft: Draft,
  origin: Origin,
  { id, tool, input }: Pick<Of<'tool.started'>, 'id' | 'tool' | 'input'>,
): void {
  if (draft.view.tools.has(id)) return;
  draft.changeTool(id, {});
  draft.add(origin.thread, { ...base(origin), key: id, kind: 'tool', id, tool, input });
}

/** The view has the items already, from a line of the past. Drops what was written live before this frame. */
function foldRepetition(draft: Draft, thread: string, meaning: Meaning): void {
  if (meaning.type === 'message' && meaning.role === 'assistant')
    for (const { type } of meaning.content) draft.dropWritten(thread, kindOf(type));
  if (meaning.type !== 'tool.started') return;
  const tool = draft.view.tools.get(meaning.id);
  // The tool looked abandoned until the events showed that its turn is still running.
  if (tool?.outcome === 'failed' && tool.text === undefined)
    draft.changeTool(meaning.id, { outcome: 'running' });
}

function kindOf(blockType: string): PartialBlock['kind'] {
  return blockType === 'text' || blockType === 'thinking' ? blockType : 'tool';
}

function foldNotice(draft: Draft, origin: Origin, { code, message, tone, detail }: Of<'notice'>): void {
  // The model starts its message again.
  if (code === 'retrying') draft.clearWritten(origin.thread);
  // The next answer shows how much is left.
  if (code === 'compacted') draft.learn({ contextTokens: undefined });
  draft.add(origin.thread, {
    ...base(origin),
    kind: 'notice',
    code,
    tone: tone ?? 'plain',
    text: message,
    detail,
  });
}

function foldProgram(draft: Draft, { model, permissionMode, workingDir, commands }: Of<'program'>): void {
  report(draft, { model, permissionMode });
  if (workingDir !== undefined) draft.learn({ workingDir });
  if (!commands) return;
  const known = new Map(draft.view.facts.commands.map((command) => [command.name, command]));
  // When it starts, the program only names its commands. Keep the descriptions that we have.
  draft.learn({
    commands: commands.map((command) =>
      command.description === undefined && command.hint === undefined
        ? (known.get(command.name) ?? command)
        : command,
    ),
  });
}

function report(
  draft: Draft,
  { model, permissionMode }: { model?: string | undefined; permissionMode?: string | undefined },
): void {
  const { reported } = draft.view.memory;
  const isNewModel = model !== undefined && model !== reported.model;
  const isNewMode = permissionMode !== undefined && permissionMode !== reported.permissionMode;
  if (!isNewModel && !isNewMode) return;
  const news = { ...(isNewModel && { model }), ...(isNewMode && { permissionMode }) };
  draft.remember({ reported: { ...reported, ...news } });
  draft.learn(news);
}
