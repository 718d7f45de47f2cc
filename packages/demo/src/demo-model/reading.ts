// Finds things in what people and tools say: paths, quoted words, file names, records in JSON.

/** Paths with an extension, in the order in which they appear. Looks at the first page of text only. */
export function pathsIn(text: string): readonly string[] {
  const page = text.slice(0, 4_000);
  const quoted = [...page.matchAll(/["'`]([^"'`\n]+\.[A-Za-z0-9]{1,8})["'`]/g)].map(
    (match) => match[1] ?? '',
  );
  const unquoted = page.replaceAll(/["'`][^"'`\n]*["'`]/g, ' ');
  const bare = unquoted.match(/(?<![\w.@/-])[\w@/-][\w.@/-]*\.[A-Za-z][A-Za-z0-9]{0,7}\b/g) ?? [];
  return [...new Set([...quoted, ...bare])];
}

export function unquote(text: string): string {
  return text
    .trim()
    .replace(/^["'`“”]+|["'`“”]+$/g, '')
    .trim();
}

/** Files in a listing of any shape: one per line, with marks and sizes, or JSON. */
export function filesInListing(listing: string): readonly string[] {
  const names = listing.split(/\r?\n/).flatMap((line) => {
    const bare = line.trim().replace(/^(?:[-*•]|\[?(?:file|f)\]?:?|📄)\s+/i, '');
    const name = /^["']?([^"'<>|(:]{1,200}?\.[A-Za-z][A-Za-z0-9]{0,7})(?=$|[\s"',)(:])/.exec(bare)?.[1];
    return name === undefined ? [] : [name];
  });
  const found = names.length > 0 ? names : pathsIn(listing);
  return [...new Set(found)];
}

/** Folders in a listing: marked by a trailing slash or a word in front. */
export function foldersInListing(listing: string): readonly string[] {
  return listing.split(/\r?\n/).flatMap((line) => {
    const marked = /^(?:[-*•]\s+)?\[?(?:dir|directory|folder|d|📁)\]?:?\s+(\S.*?)\/?$/i.exec(
      line.trim(),
    )?.[1];
    const slashed = /^(?:[-*•]\s+)?(\S[^:]*?)\/$/.exec(line.trim())?.[1];
    const folder = marked ?? slashed;
    return folder === undefined ? [] : [folder];
  });
}

/** Every object in a JSON text (on its own, in a fence, or after a sentence), including nested ones. */
export function recordsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  const value = parseJson(text);
  return value === undefined ? [] : objectsIn(value, 0);
}

export function firstLines(text: string, count: number): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const shown = lines.slice(0, count).join('\n');
  return lines.length > count ? `${shown}\n…` : shown;
}

/** `claude`'s `Read` numbers the lines: "     1→text" or "     1\ttext". */
export function withoutLineNumbers(text: string): string {
  return text.replaceAll(/^\s*\d+[→\t]/gm, '');
}

/** `claude` appends reminders for the model to a tool's result. */
export function withoutReminders(text: string): string {
  return text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').replace(/[ \n]+$/, '');
}

export function slug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 6).join('-') || 'note';
}

const deepest = 6;

function objectsIn(value: unknown, depth: number): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  const inner = Object.values(value).flatMap((part) => objectsIn(part, depth + 1));
  return Array.isArray(value) ? inner : [value as Readonly<Record<string, unknown>>, ...inner];
}

function parseJson(text: string): unknown {
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  for (const candidate of [text, from >= 0 && to > from ? text.slice(from, to + 1) : '']) {
    try {
      return JSON.parse(candidate);
    } catch {
      // Not JSON: try the next candidate.
    }
  }
  return undefined;
}
