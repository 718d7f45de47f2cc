// The port for the state of the bots.
import type { ChannelStatus } from '@parley/protocol';

export interface ChannelHealth {
  /** One for each channel that has a token. Contains neither the token nor anything from the service that may quote it. */
  status(): readonly ChannelStatus[];
}
