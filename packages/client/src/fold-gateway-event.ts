// Folds what the gateway adds around an engine's events: turns, the queue, permissions, settings.
import {
  addUsage,
  filesIn,
  type GatewayEvent,
  type Prompt,
  promptText,
  type ShownPrompt,
  type TurnId,
} from '@parley/protocol';
import { splitFiles } from './content.ts';
import type { Draft } from './draft.ts';
import { base, type Origin } from './entry.ts';
import { type Item, mainThread, type Picture } from './view.ts';

type Of<Type extends GatewayEvent['type']> = Extract<GatewayEvent, { type: Type }>;

export function foldGatewayEvent(draft: Draft, origin: Origin, event: GatewayEvent): void {
  const { turnId } = origin.entry;
  switch (event.type) {
    case 'queue.changed':
      draft.view.queue = event.prompts.map((queued) => ({ ...queued, prompt: shown(queued.prompt) }));
      if (event.prompts.length === 0) draft.view.ahead = undefined;
      return;
    case 'queue.blocked':
      draft.view.ahead = event.ahead;
      return;
    case 'settings.changed': {
      const { reported } = draft.view.memory;
      const { model, permissionMode } = event;
      if (model !== undefined) draft.learn({ model: model ?? reported.model });
      if (permissionMode !== undefined)
        draft.learn({ permissionMode: permissionMode ?? reported.permissionMode });
      return;
    }
    case 'models.changed':
      draft.learn({ models: event.models });
      return;
    case 'turn.started':
      if (turnId !== undefined) startTurn(draft, origin, turnId, event);
      return;
    case 'permission.asked': {
      const { id, request } = event;
      if (turnId === undefined) return;
      if (!draft.view.permissions.some((open) => open.id === id))
        draft.view.permissions = [...draft.view.permissions, { id, turnId, request }];
      draft.add(mainThread, { ...base(origin), key: id, kind: 'permission', id, request });
      return;
    }
    case 'permission.settled':
      settlePermission(draft, event);
      return;
    case 'turn.ended':
      if (turnId !== undefined) endTurn(draft, origin, turnId, event);
      return;
    default:
      event satisfies never;
  }
}

/** Whether this is the prompt of the running turn, which an engine may repeat as a message. */
export function isEcho(draft: Draft, text: string): boolean {
  const { turn } = draft.view.memory;
  if (!turn || turn.isEchoed || !isSame(turn.prompt, text)) return false;
  draft.rememberTurn({ isEchoed: true });
  return true;
}

function startTurn(draft: Draft, origin: Origin, id: TurnId, { prompt, author }: Of<'turn.started'>): void {
  // A client may name files that are already in the work folder.
  const { text, files } = splitFiles(promptText(prompt));
  // The program's message with the prompt has the id of the turn: as a line of the past, it may be here already.
  const isThere = !draft.admit(id);
  const replaced = unfinishedAttempt(draft, text);
  draft.failRunningTools();
  draft.view.running = id;
  draft.view.ahead = undefined;
  if (draft.view.queue.some(({ turnId }) => turnId === id))
    draft.view.queue = draft.view.queue.filter(({ turnId }) => turnId !== id);
  draft.remember({
    turn: {
      id,
      prompt: text,
      isEchoed: isThere,
      hasFrames: false,
      hasText: false,
      model: undefined,
      durationMs: undefined,
      frame: undefined,
    },
  });
  if (isThere) return;
  const item = {
    ...base(origin),
    key: `${id}:1`,
    kind: 'prompt',
    promptId: id,
    author,
    text,
    pictures: picturesIn(prompt),
    files: [...filesIn(prompt).map((file) => ({ ...file, data: '' })), ...files],
  } as const;
  if (replaced === undefined) draft.add(mainThread, item);
  else draft.rewrite((items) => items.flatMap((old) => replacement(old, replaced, item)));
}

/**
 * The turn before, if it had the same prompt and did not finish: the new turn replaces it. If the engine sends frames,
 * its record shows both turns, so both stay.
 */
function unfinishedAttempt(draft: Draft, prompt: string): TurnId | undefined {
  const { turn } = draft.view.memory;
  if (!turn || turn.hasFrames || turn.prompt !== prompt) return undefined;
  const end = draft.findLast((item) => item.kind === 'end');
  const isUnfinished = end?.kind === 'end' && end.turnId === turn.id && end.outcome !== 'completed';
  return isUnfinished ? turn.id : undefined;
}

/** The prompt and the tool calls of the attempt stay; its text is removed. */
function replacement(old: Item, attempt: TurnId, prompt: Item): readonly Item[] {
  if (old.turnId !== attempt) return [old];
  switch (old.kind) {
    case 'prompt':
      return [prompt];
    case 'text':
    case 'thinking':
    case 'notice':
    case 'end':
      return [];
    default:
      return [old];
  }
}

function endTurn(draft: Draft, origin: Origin, id: TurnId, event: Of<'turn.ended'>): void {
  const { view } = draft;
  const turn = view.memory.turn?.id === id ? view.memory.turn : undefined;
  if (turn && !turn.hasFrames) keepWords(draft, origin, turn.hasText, event.text);
  draft.clearAllWritten();
  draft.failRunningTools();
  if (view.running === id) view.running = undefined;
  if (view.permissions.some(({ turnId }) => turnId === id))
    view.permissions = view.permissions.filter(({ turnId }) => turnId !== id);
  if (origin.entry.seq !== undefined && !view.memory.counted.has(id))
    view.usage = addUsage(view.usage, event.usage);
  // A page of the past may have added it already.
  if (!draft.admit(`${id} end`)) return;
  const { usage, error } = event;
  draft.add(mainThread, {
    ...base(origin),
    key: `${id} end`,
    frame: turn?.frame,
    kind: 'end',
    outcome: event.outcome,
    usage,
    costUsd: usage.costUsd > 0 ? usage.costUsd : undefined,
    durationMs: turn?.durationMs ?? event.durationMs,
    outputTokens: usage.outputTokens > 0 ? usage.outputTokens : undefined,
    model: turn?.model,
    error,
  });
}

/** Keeps text that no whole message contains, because the turn was interrupted or only its answer was stored. */
function keepWords(draft: Draft, origin: Origin, hasText: boolean, answer: string): void {
  let isSaid = hasText;
  for (const { kind, text, key: writtenAs } of draft.clearWritten(mainThread)) {
    if (kind === 'tool' || text.trim() === '') continue;
    draft.add(mainThread, { ...base(origin), kind, text, writtenAs });
    isSaid ||= kind === 'text';
  }
  if (!isSaid && answer.trim() !== '') draft.add(mainThread, { ...base(origin), kind: 'text', text: answer });
}

function settlePermission(draft: Draft, { id, decision, reason }: Of<'permission.settled'>): void {
  const asked = draft.findLast(({ key }) => key === id);
  const request = asked?.kind === 'permission' ? asked.request : undefined;
  const { permissions } = draft.view;
  const open = permissions.find((permission) => permission.id === id);
  if (open) draft.view.permissions = permissions.filter((permission) => permission !== open);
  const call = (request ?? open?.request)?.toolUseId;
  draft.settle(call ?? id, { behavior: decision.behavior, reason });
}

function shown(prompt: Prompt): ShownPrompt {
  const images = prompt.flatMap((part) => (part.type === 'image' ? [part.mediaType] : []));
  const files = filesIn(prompt);
  return { text: promptText(prompt), images, ...(files.length > 0 && { files }) };
}

function picturesIn(prompt: Prompt): readonly Picture[] {
  return prompt.flatMap((part) =>
    part.type === 'image' ? [{ mediaType: part.mediaType, data: part.data }] : [],
  );
}

/** The program may join and trim the parts of a prompt in its own way. */
function isSame(one: string, other: string): boolean {
  return spaced(one) === spaced(other);
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
