// The state of the bots, for the overview page.
import { z } from 'zod';

export const ChatService = z.enum(['telegram', 'discord']);
export type ChatService = z.infer<typeof ChatService>;

/** Names a bot: `telegram`, `discord`, or a configured name. The keys of its chats start with it. */
export const ChannelName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a word of at most 32 letters a-z, digits and -');
export type ChannelName = z.infer<typeof ChannelName>;

/** The state of one bot. */
export const ChannelStatus = z.object({
  name: ChannelName,
  kind: ChatService,
  /**
   * `off`: it has a token but is switched off. `connecting`: it keeps trying on its own. `running`: it answers.
   * `failed`: somebody has to do what `lastError` says.
   */
  state: z.enum(['off', 'connecting', 'running', 'failed']),
  /** The bot's name at the service; null until the service has reported it. */
  botName: z.string().nullable(),
  /** What is wrong and what to do; null if nothing is. */
  lastError: z.string().nullable(),
  /** When this state began, in milliseconds since 1970. */
  since: z.number(),
});
export type ChannelStatus = z.infer<typeof ChannelStatus>;

export const ChannelOverview = z.object({ channels: z.array(ChannelStatus) });
export type ChannelOverview = z.infer<typeof ChannelOverview>;
