// The port for the state of the bots.
import type { ChannelStatus } from '@parley/protocol';

export interface ChannelHealth {
  /**
   * One for each bot that has a token, no matter which server runs it. Contains neither the token nor any text from the
   * service that may quote it.
   */
  status(): Promise<readonly ChannelStatus[]>;
  /** Only the bots that run on this server, for another server that asks. */
  statusHere(): readonly ChannelStatus[];
}
