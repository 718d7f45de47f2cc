// Reading what another program wrote: every field may be missing or of another type.
export type Json = Readonly<Record<string, unknown>>;

/** A frame of the program, or a line of its transcript. */
export type Frame = Json;

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : empty;
}

export function records(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const empty: Json = {};
