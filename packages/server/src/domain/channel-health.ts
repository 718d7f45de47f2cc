// The port for the state of the bots.
import type { ChannelStatus } from '@parley/protocol';

export interface ChannelHealth {
  /** One for each channel that has a token. Never the token, nor words of the service that may hold it. */
  status(): readonly ChannelStatus[];
}
