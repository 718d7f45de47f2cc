// What fills the context of a session's model, and what its tokens cost.
import { z } from 'zod';
import { Usage } from './usage.ts';

const Tokens = z.int().nonnegative();

/** Known ids have a name in every language; others are shown by `name`. */
export const ContextPart = z.object({
  id: z
    .string()
    .describe('Such as `system_prompt`, `tools`, `messages`, `tool_results`, `files`, `pictures`.'),
  name: z.string(),
  tokens: Tokens,
});
export type ContextPart = z.infer<typeof ContextPart>;

export const ContextTool = z.object({ name: z.string(), tokens: Tokens.describe('Its calls and results.') });
export type ContextTool = z.infer<typeof ContextTool>;

export const ContextUse = z.object({
  tokens: Tokens,
  window: Tokens.describe('How many the model can read.'),
  parts: z.array(ContextPart).describe('The largest first.'),
  tools: z.array(ContextTool).describe('The largest first.'),
});
export type ContextUse = z.infer<typeof ContextUse>;

export const CostPart = z.object({
  kind: z.enum(['input', 'output', 'cache_read', 'cache_write']),
  tokens: Tokens,
  costUsd: z.number().describe('An estimate. If the model is not known, it uses the usual ratio of prices.'),
});
export type CostPart = z.infer<typeof CostPart>;

export const SessionContext = z.object({
  context: ContextUse.nullable().describe(
    'Null if it is not known, for example because the program is asleep.',
  ),
  usage: Usage.describe('Of all turns together.'),
  costs: z.array(CostPart),
});
export type SessionContext = z.infer<typeof SessionContext>;
