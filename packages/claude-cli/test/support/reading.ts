// Lets tests wait for events of a session instead of waiting for some time.
import type { ClaudeEvent, MetadataEvent, Session } from '../../src/index.ts';

export type TurnEnded = Extract<MetadataEvent, { kind: 'turn_ended' }>;

/** Reads a session's events from now on and lets tests wait for them. */
export class EventLog {
  readonly events: ClaudeEvent[] = [];
  readonly done: Promise<void>;
  #changed: () => void = () => undefined;

  constructor(session: Session) {
    const events = session.events();
    this.done = (async () => {
      for await (const event of events) {
        this.events.push(event);
        this.#changed();
      }
    })();
  }

  get text(): string {
    return this.all('output')
      .filter((event) => event.channel === 'text')
      .map((event) => event.text)
      .join('');
  }

  get states(): string[] {
    return this.all('status_change').map((event) => event.to);
  }

  get turns(): TurnEnded[] {
    return this.metadata('turn_ended');
  }

  all<Type extends ClaudeEvent['type']>(type: Type): Extract<ClaudeEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<ClaudeEvent, { type: Type }> => event.type === type);
  }

  metadata<Kind extends MetadataEvent['kind']>(kind: Kind): Extract<MetadataEvent, { kind: Kind }>[] {
    return this.all('metadata').filter((event) => event.kind === kind) as Extract<
      MetadataEvent,
      { kind: Kind }
    >[];
  }

  async until(condition: (log: EventLog) => boolean): Promise<void> {
    while (!condition(this)) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /** The end of the n-th turn, counted from 1. */
  async turn(number: number): Promise<TurnEnded> {
    await this.until((log) => log.turns.length >= number);
    return this.turns[number - 1] as TurnEnded;
  }
}

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
