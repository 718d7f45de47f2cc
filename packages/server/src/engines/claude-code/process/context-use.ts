// What fills the context of a session, as the program reports it. Old versions don't report it, and fields come and go.
import type { ContextUse } from '@parley/protocol';
import { z } from 'zod';

const Report = z.object({
  totalTokens: z.number(),
  maxTokens: z.number(),
  rawMaxTokens: z.number().optional(),
  categories: z
    .array(
      z.object({
        id: z.string().optional(),
        name: z.string(),
        tokens: z.number(),
        kind: z.string().optional(),
        isDeferred: z.boolean().optional(),
      }),
    )
    .default([]),
  messageBreakdown: z
    .object({
      toolCallsByType: z
        .array(z.object({ name: z.string(), callTokens: z.number(), resultTokens: z.number() }))
        .default([]),
    })
    .optional(),
});

/** Undefined if the answer is not a report. */
export function toContextUse(answer: unknown): ContextUse | undefined {
  const report = Report.safeParse(answer).data;
  if (!report) return undefined;
  const { totalTokens, maxTokens, rawMaxTokens = maxTokens, categories, messageBreakdown } = report;
  // Free space, space that is kept free, and parts that aren't loaded take no room.
  const used = categories.filter(
    ({ kind, isDeferred, name }) =>
      isDeferred !== true && (kind === undefined ? !/free|buffer/i.test(name) : kind === 'used'),
  );
  return {
    tokens: Math.round(totalTokens),
    window: Math.round(rawMaxTokens),
    parts: largestFirst(
      used.map(({ id, name, tokens }) => ({ id: id ?? name, name, tokens: Math.round(tokens) })),
    ),
    tools: largestFirst(
      (messageBreakdown?.toolCallsByType ?? []).map(({ name, callTokens, resultTokens }) => ({
        name,
        tokens: Math.round(callTokens + resultTokens),
      })),
    ),
  };
}

function largestFirst<Part extends { readonly tokens: number }>(parts: readonly Part[]): Part[] {
  return parts.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens);
}
