// A view while a batch of events is folded into it. Each container is copied at most once per batch, and only if it
// changes, so that the cost of a batch depends on its events only, and unchanged objects keep their identity.
import {
  type ConversationView,
  type Facts,
  type FoldMemory,
  type Item,
  mainThread,
  type PartialBlock,
  type SettledPermission,
  type ToolState,
  type TurnMemory,
} from './view.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const newTool: ToolState = {
  outcome: 'running',
  denied: false,
  reason: undefined,
  stopped: false,
  progress: undefined,
  text: undefined,
  pictures: [],
  details: undefined,
  frame: undefined,
};

export class Draft {
  /** The result so far, without the items that were added. Replace its fields; never change what is in them. */
  readonly view: Mutable<ConversationView>;
  readonly #before: ConversationView;
  readonly #added = new Map<string, Item[]>();
  /** The threads whose blocks were copied for this batch. */
  readonly #ownThreads = new Set<string>();

  constructor(before: ConversationView) {
    this.#before = before;
    this.view = { ...before };
  }

  learn(facts: Partial<Facts>): void {
    this.view.facts = { ...this.view.facts, ...facts };
  }

  remember(memory: Partial<FoldMemory>): void {
    this.view.memory = { ...this.view.memory, ...memory };
  }

  /** Does nothing if no turn has started in this view. */
  rememberTurn(change: Partial<TurnMemory>): void {
    const { turn } = this.view.memory;
    if (turn) this.remember({ turn: { ...turn, ...change } });
  }

  /** False if the view already contains the frame. */
  admit(uuid: string): boolean {
    if (this.view.seen.has(uuid)) return false;
    if (this.view.seen === this.#before.seen) this.view.seen = new Set(this.view.seen);
    (this.view.seen as Set<string>).add(uuid);
    return true;
  }

  add(thread: string, item: Item): void {
    const added = this.#added.get(thread);
    if (added) added.push(item);
    else this.#added.set(thread, [item]);
  }

  /** Replaces the items of the main thread. */
  rewrite(change: (items: readonly Item[]) => readonly Item[]): void {
    this.view.items = change([...this.view.items, ...(this.#added.get(mainThread) ?? [])]);
    this.#added.delete(mainThread);
  }

  /** The newest item of the main thread that passes. */
  findLast(passes: (item: Item) => boolean): Item | undefined {
    return this.#added.get(mainThread)?.findLast(passes) ?? this.view.items.findLast(passes);
  }

  changeTool(id: string, change: Partial<ToolState>): void {
    const tool = { ...(this.view.tools.get(id) ?? newTool), ...change };
    if (this.view.tools === this.#before.tools) this.view.tools = new Map(this.view.tools);
    (this.view.tools as Map<string, ToolState>).set(id, tool);
  }

  failRunningTools(): void {
    for (const [id, { outcome }] of this.view.tools)
      if (outcome === 'running') this.changeTool(id, { outcome: 'failed' });
  }

  settle(key: string, settled: SettledPermission): void {
    this.view.settled = new Map([...this.view.settled, [key, settled]]);
  }

  /** Adds to the block that is being written, or begins the next one. */
  write(
    thread: string,
    nextKey: () => string,
    { kind, text, tool, id }: Pick<PartialBlock, 'kind' | 'text'> & Partial<PartialBlock>,
  ): void {
    const blocks = this.#blocksOf(thread);
    const last = blocks.at(-1);
    if (last?.kind === kind && (id === undefined || last.id === undefined || last.id === id))
      blocks[blocks.length - 1] = { ...last, text: last.text + text };
    else blocks.push({ key: nextKey(), kind, text, tool, id });
  }

  /** A block is complete: drops the oldest block of its kind that was being written, and returns it. */
  dropWritten(thread: string, kind: PartialBlock['kind']): PartialBlock | undefined {
    const at = this.view.writing.get(thread)?.findIndex((block) => block.kind === kind) ?? -1;
    if (at < 0) return undefined;
    const blocks = this.#blocksOf(thread);
    const [dropped] = blocks.splice(at, 1);
    if (blocks.length === 0) this.clearWritten(thread);
    return dropped;
  }

  /** Returns the blocks that were dropped. */
  clearWritten(thread: string): readonly PartialBlock[] {
    const dropped = this.view.writing.get(thread);
    if (!dropped) return [];
    this.#ownWriting().delete(thread);
    this.#ownThreads.delete(thread);
    return dropped;
  }

  clearAllWritten(): void {
    for (const thread of this.view.writing.keys()) this.clearWritten(thread);
  }

  finish(): ConversationView {
    const { subagents } = this.#before;
    const main = this.#added.get(mainThread);
    if (main) this.view.items = [...this.view.items, ...main];
    const others = [...this.#added].filter(([thread]) => thread !== mainThread);
    if (others.length > 0) {
      this.view.subagents = new Map([
        ...subagents,
        ...others.map(([thread, added]) => [thread, [...(subagents.get(thread) ?? []), ...added]] as const),
      ]);
    }
    return this.view;
  }

  #blocksOf(thread: string): PartialBlock[] {
    const writing = this.#ownWriting();
    const blocks = writing.get(thread) ?? [];
    if (this.#ownThreads.has(thread)) return blocks;
    const own = [...blocks];
    writing.set(thread, own);
    this.#ownThreads.add(thread);
    return own;
  }

  #ownWriting(): Map<string, PartialBlock[]> {
    if (this.view.writing === this.#before.writing) this.view.writing = new Map(this.view.writing);
    return this.view.writing as Map<string, PartialBlock[]>;
  }
}
