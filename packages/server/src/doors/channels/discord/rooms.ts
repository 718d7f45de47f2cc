// The channels in which the bot is spoken to. Messages come through the gateway; what it does not bring, because the
// server was down or a message could not be taken in, is fetched over REST. How far each channel has come is kept.
import type { APIMessage } from 'discord-api-types/v10';
import type { Clock } from '../../../domain/clock.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { ChannelName } from '../core/channel.ts';
import { Room } from './room.ts';
import { justBefore, later, timeOf } from './snowflakes.ts';

export interface RoomsSetup {
  /** Of the bot. */
  readonly name: ChannelName;
  /** The marks that were kept, by counter: the time of the last message that was taken in. */
  readonly known: ReadonlyMap<string, number>;
  readonly keep: (counter: string, highest: number) => Promise<void>;
  /** Up to 100 messages that come next after an id, oldest first. Rejects with a ChannelError. */
  readonly fetchAfter: (
    channelId: string,
    after: string,
    signal: AbortSignal,
  ) => Promise<readonly APIMessage[]>;
  /** Rejects when the message must come again. */
  readonly handle: (message: APIMessage, isPrivate: boolean) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** What was said while the server was down longer than this is not answered any more. */
const longestAbsenceMs = 24 * 60 * 60 * 1_000;

export class Rooms {
  readonly #setup: RoomsSetup;
  readonly #rooms = new Map<string, Room>();

  constructor(setup: RoomsSetup) {
    this.#setup = setup;
    const earliest = justBefore(setup.clock.now() - longestAbsenceMs);
    for (const [counter, time] of setup.known) {
      const room = readCounter(counter);
      if (room) this.#rooms.set(room.channelId, this.#open(room, later(earliest, justBefore(time)), true));
    }
  }

  isKnown(channelId: string): boolean {
    return this.#rooms.has(channelId);
  }

  /** A message that the gateway brought. Its channel is known from now on. */
  add(message: APIMessage, isPrivate: boolean): void {
    const { channel_id: channelId } = message;
    const known = this.#rooms.get(channelId);
    const room = known ?? this.#open({ channelId, isPrivate }, justBefore(timeOf(message.id)), false);
    if (!known) this.#rooms.set(channelId, room);
    room.add(message);
  }

  /** The gateway began anew: what was said in between is fetched. */
  catchUp(): void {
    for (const room of this.#rooms.values()) room.catchUp();
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#rooms.values()].map((room) => room.idle()));
  }

  #open({ channelId, isPrivate }: RoomKey, cursor: string, isKept: boolean): Room {
    const { name, keep, fetchAfter, handle, signal, logger } = this.#setup;
    const counter = isPrivate ? `dm:${channelId}` : `guild:${channelId}`;
    return new Room({
      cursor,
      isKept,
      keep: (time) => keep(counter, time),
      fetchAfter: (after) => fetchAfter(channelId, after, signal),
      handle: (message) => handle(message, isPrivate),
      onError: (error, waitMs) =>
        logger.warn(
          { event: 'error', conversation: `${name}:${channelId}`, err: error, waitMs },
          'messages could not be taken in; trying again',
        ),
      signal,
    });
  }
}

interface RoomKey {
  readonly channelId: string;
  readonly isPrivate: boolean;
}

/** Both that a channel may have: REST does not say of a message whether it was a direct one, so the mark does. */
export function roomCounters(channelId: string): readonly string[] {
  return [`dm:${channelId}`, `guild:${channelId}`];
}

function readCounter(counter: string): RoomKey | undefined {
  const [, kind, channelId] = /^(dm|guild):(\d+)$/.exec(counter) ?? [];
  return channelId === undefined ? undefined : { channelId, isPrivate: kind === 'dm' };
}
