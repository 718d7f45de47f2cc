// Tokens as the Messages API counts them, and what they cost, in dollars per million, as Anthropic lists them. An unknown
// model is free, because a wrong price would be worse.
import type { CostPart, Usage } from '@parley/protocol';

export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** As the API writes them. */
export interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

interface Price {
  readonly input: number;
  readonly output: number;
  /** Price of a token read from the prompt cache, as a share of the input price. */
  readonly cacheRead: number;
  /** Prompts with more tokens than `beyond` cost `factor` times as much. */
  readonly longPrompt?: { readonly beyond: number; readonly factor: number };
}

/** The first match counts, so specific patterns come before general ones. */
const prices: readonly (readonly [pattern: RegExp, price: Price])[] = [
  [/^claude-(fable|mythos)-5-[12]/, { input: 10, output: 50, cacheRead: 0.025 }],
  [/^claude-(fable|mythos)-5/, { input: 10, output: 50, cacheRead: 0.1 }],
  [/^claude-opus-5-5/, { input: 4, output: 20, cacheRead: 0.05 }],
  [/^claude-opus-(5|4-[5-8])/, { input: 5, output: 25, cacheRead: 0.1 }],
  [/^claude-opus-4/, { input: 15, output: 75, cacheRead: 0.1 }],
  [/^claude-sonnet-5-5/, { input: 2, output: 10, cacheRead: 0.05 }],
  [/^claude-sonnet-5/, { input: 2, output: 10, cacheRead: 0.1 }],
  [/^claude-sonnet-4/, { input: 3, output: 15, cacheRead: 0.1 }],
  [
    /^claude-haiku-5-5/,
    { input: 0.1, output: 0.5, cacheRead: 0.1, longPrompt: { beyond: 100_000, factor: 5 } },
  ],
  [/^claude-haiku-4-5/, { input: 1, output: 5, cacheRead: 0.1 }],
];

/** Writing to the five-minute cache costs 25% more than plain input. */
const cacheWrite = 1.25;
const million = 1_000_000;

export function toUsage(model: string, tokens: TokenCounts): Usage {
  return {
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cacheReadTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
    costUsd: cost(model, tokens),
  };
}

function cost(model: string, tokens: TokenCounts): number {
  const price = prices.find(([pattern]) => pattern.test(model))?.[1];
  if (price === undefined) return 0;
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const factor =
    price.longPrompt !== undefined && prompt > price.longPrompt.beyond ? price.longPrompt.factor : 1;
  const paidInput = tokens.input + tokens.cacheRead * price.cacheRead + tokens.cacheWrite * cacheWrite;
  return ((paidInput * price.input + tokens.output * price.output) * factor) / million;
}

/**
 * Splits the cost by kind of token. For an unknown model the usual price will do: only the ratios matter here, and they
 * hardly differ between models.
 */
export function costParts(usage: Usage, model = ''): readonly CostPart[] {
  const price = prices.find(([pattern]) => pattern.test(model))?.[1] ?? usualPrice;
  const parts = [
    { kind: 'input', tokens: usage.inputTokens, weight: price.input },
    { kind: 'output', tokens: usage.outputTokens, weight: price.output },
    { kind: 'cache_read', tokens: usage.cacheReadTokens, weight: price.input * price.cacheRead },
    { kind: 'cache_write', tokens: usage.cacheWriteTokens, weight: price.input * cacheWrite },
  ] as const;
  const total = parts.reduce((sum, { tokens, weight }) => sum + tokens * weight, 0);
  return parts.map(({ kind, tokens, weight }) => ({
    kind,
    tokens,
    costUsd: total === 0 ? 0 : (usage.costUsd * tokens * weight) / total,
  }));
}

const usualPrice: Price = { input: 1, output: 5, cacheRead: 0.1 };

/** Later counts replace earlier ones: the service reports running totals. */
export function countTokens(
  known: TokenCounts | undefined,
  usage: WireUsage | null | undefined,
): TokenCounts | undefined {
  if (usage === undefined || usage === null) return known;
  return {
    input: count(usage.input_tokens) ?? known?.input ?? 0,
    output: count(usage.output_tokens) ?? known?.output ?? 0,
    cacheRead: count(usage.cache_read_input_tokens) ?? known?.cacheRead ?? 0,
    cacheWrite: count(usage.cache_creation_input_tokens) ?? known?.cacheWrite ?? 0,
  };
}

/** Only a valid number of tokens may reach a budget, whoever reported it. */
function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
