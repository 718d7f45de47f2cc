// Decides the name under which the model knows each tool: its own if it is free, otherwise prefixed with its server's name.
// The Messages API accepts up to 128 letters, digits, `_` and `-`.
import { createHash } from 'node:crypto';

const longest = 128;

/** Takes the tools of each server and returns, for each server, a map from a tool's own name to the model's name. */
export function nameTools(
  offers: ReadonlyMap<string, readonly string[]>,
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const wanted = new Map<string, number>();
  for (const tools of offers.values())
    for (const plain of new Set(tools.map(fit))) wanted.set(plain, (wanted.get(plain) ?? 0) + 1);

  const taken = new Set(reserved);
  return new Map(
    [...offers].map(([server, tools]) => {
      const names = new Map<string, string>();
      for (const tool of tools) {
        const plain = fit(tool);
        const clashes = reserved.has(plain) || (wanted.get(plain) ?? 0) > 1;
        const name = distinct(clashes ? fit(`${server}__${tool}`) : plain, tool, taken);
        taken.add(name);
        names.set(tool, name);
      }
      return [server, names];
    }),
  );
}

function fit(name: string): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 9)}_${mark(name)}`;
}

/** Adds a hash when two names became the same. */
function distinct(name: string, tool: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `${name.slice(0, longest - 9)}_${mark(tool)}` : name;
}

function mark(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
