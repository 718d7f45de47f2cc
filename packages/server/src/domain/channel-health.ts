// The port for the state of the bots.
import type { ChannelStatus } from '@parley/protocol';

export interface ChannelHealth {
  /**
   * One for each channel that has a token, whichever server runs it. Contains neither the token nor anything from the
   * service that may quote it.
   */
  status(): Promise<readonly ChannelStatus[]>;
  /** Only what runs on this server, for another one that asks. */
  statusHere(): readonly ChannelStatus[];
}
