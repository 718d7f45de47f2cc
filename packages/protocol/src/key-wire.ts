// API keys that are made at run time, in the app or on the command line.
import { z } from 'zod';
import { PersonName } from './ids.ts';

export const ApiKeyInfo = z.object({
  id: z.string(),
  label: z.string(),
  /** The person it acts for. */
  for: PersonName,
  /** The only assistants it may use, where `claude-code` counts as one; null for all. */
  assistants: z.array(z.string()).nullable(),
  readOnly: z.boolean(),
  /** Null if it was made on the command line. */
  createdBy: PersonName.nullable(),
  /** Times are in milliseconds since 1970. */
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  /** Roughly; null if it was never used. */
  lastUsedAt: z.number().nullable(),
});
export type ApiKeyInfo = z.infer<typeof ApiKeyInfo>;

export const CreatedApiKey = z.object({
  key: ApiKeyInfo,
  /** Shown only once. */
  secret: z.string(),
});
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
