// What the overview shows of the chat channels.
import { z } from 'zod';

export const ChatService = z.enum(['telegram', 'discord']);
export type ChatService = z.infer<typeof ChatService>;

/** Of a bot: `telegram` and `discord`, or the name that a further one was given. The keys of its chats begin with it. */
export const ChannelName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a word of at most 32 letters a-z, digits and -');
export type ChannelName = z.infer<typeof ChannelName>;

/** How one bot is doing. */
export const ChannelStatus = z.object({
  name: ChannelName,
  kind: ChatService,
  /**
   * `off`: it has a token and is switched off. `connecting`: on its way, by itself. `running`: it answers.
   * `failed`: somebody has to do what `lastError` says.
   */
  state: z.enum(['off', 'connecting', 'running', 'failed']),
  /** As the service knows it; null before the service has told. */
  botName: z.string().nullable(),
  /** What is wrong and what to do, in words; null when nothing is. */
  lastError: z.string().nullable(),
  /** When this state began, in milliseconds since 1970. */
  since: z.number(),
});
export type ChannelStatus = z.infer<typeof ChannelStatus>;

export const ChannelOverview = z.object({ channels: z.array(ChannelStatus) });
export type ChannelOverview = z.infer<typeof ChannelOverview>;
