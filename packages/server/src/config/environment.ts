// The only reader of process.env; everything else gets what it needs as a parameter.
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return { ...process.env };
}
