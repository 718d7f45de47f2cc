// Reads the input and the result of tools. Models and programs write them, so any field may be missing or have
// another type.
export type Json = Readonly<Record<string, unknown>>;

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
