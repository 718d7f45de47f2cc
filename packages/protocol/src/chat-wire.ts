// The kitchen assistant over server-sent events: the request, and the named events that clients rely on.
import { z } from 'zod';

export const ImageAttachment = z.object({
  /** Base64, without the prefix of a data URL. */
  data: z.string('An image needs `data`: its bytes as base64.'),
  media_type: z.string('An image needs a `media_type`, such as image/jpeg.'),
});
export type ImageAttachment = z.infer<typeof ImageAttachment>;

/** Any file. The server detects its type from the bytes. */
export const FileAttachment = z.object({
  name: z.string('A file needs a `name`, such as report.pdf.'),
  /** Base64, without the prefix of a data URL. */
  data: z.string('A file needs `data`: its bytes as base64.'),
  /** Only for files that are neither PDF nor text. */
  media_type: z.string().optional(),
});
export type FileAttachment = z.infer<typeof FileAttachment>;

export const ChunkData = z.object({ text: z.string() });
export const ToolUseData = z.object({ tool: z.string(), status: z.enum(['started', 'finished', 'failed']) });
export const RecipeArtifactData = z.object({ recipe_id: z.string() });
/** Information that is not a failure of the turn, such as a tool server that stopped. */
export const NoticeData = z.object({ message: z.string() });
export const DoneData = z.object({
  tokens_used: z.int().nonnegative().nullable(),
  /** Send it with the next message. */
  conversation_id: z.string(),
  /** Present if a person stopped the turn before it was complete. */
  stopped: z.literal(true).optional(),
});
export const ErrorData = z.object({
  message: z.string(),
  /** Whether trying again may help. */
  recoverable: z.boolean(),
});

/** One event of the stream: its name on the `event:` line, its data as JSON on the `data:` line. */
export const ChatEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('chunk'), data: ChunkData }),
  z.object({ event: z.literal('tool_use'), data: ToolUseData }),
  z.object({ event: z.literal('recipe_artifact'), data: RecipeArtifactData }),
  z.object({ event: z.literal('notice'), data: NoticeData }),
  z.object({ event: z.literal('done'), data: DoneData }),
  z.object({ event: z.literal('error'), data: ErrorData }),
]);
export type ChatEvent = z.infer<typeof ChatEvent>;
