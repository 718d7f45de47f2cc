// Gives each tool the name under which the model knows it: its own where that is free, else with the name of
// its server in front. The Messages API takes letters, digits, `_` and `-`, at most 128.
import { createHash } from 'node:crypto';

const longest = 128;

/** Server names to the tools they offer under their own names. The result is keyed the same way. */
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

/** Two names that became the same when they were made to fit are told apart by a mark. */
function distinct(name: string, tool: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `${name.slice(0, longest - 9)}_${mark(tool)}` : name;
}

function mark(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
