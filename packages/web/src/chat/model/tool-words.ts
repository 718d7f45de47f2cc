// What a tool does, in words: while it is at it, and afterwards.

export interface ToolWords {
  readonly doing: string;
  readonly done: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function toolWords(tool: string, input: unknown): ToolWords {
  const fields = typeof input === 'object' && input !== null ? (input as Fields) : {};
  return (
    known.get(bareName(tool))?.(fields) ?? { doing: `Using ${spaced(tool)}`, done: `Used ${spaced(tool)}` }
  );
}

const known: ReadonlyMap<string, (input: Fields) => ToolWords> = new Map(
  Object.entries<(input: Fields) => ToolWords>({
    list_recipes: () => words('Looking through your recipes', 'Looked through your recipes'),
    get_recipe: () => words('Reading a recipe', 'Read a recipe'),
    create_recipe: ({ title }) => pair('Writing down', 'Wrote down', quoted(title, 'a recipe')),
    update_recipe: () => words('Changing a recipe', 'Changed a recipe'),
    delete_recipe: () => words('Removing a recipe', 'Removed a recipe'),
    display_recipe: ({ title }) => pair('Opening', 'Opened', quoted(title, 'the recipe')),
    list_directory: ({ path }) =>
      isTop(path)
        ? words('Looking through your notes', 'Looked through your notes')
        : pair('Looking into', 'Looked into', plain(path, 'a folder')),
    read_file: ({ path }) => pair('Reading', 'Read', plain(path, 'a note')),
    write_file: ({ path }) => pair('Writing', 'Wrote', plain(path, 'a note')),
    search_files: ({ query }) =>
      pair('Searching your notes for', 'Searched your notes for', quoted(query, 'something')),
    web_search: ({ query }) =>
      pair('Searching the web for', 'Searched the web for', quoted(query, 'something')),
    web_fetch: ({ url }) => pair('Reading', 'Read', hostOf(url)),
    linkedin_post: () => words('Posting on LinkedIn', 'Posted on LinkedIn'),
    linkedin_post_comment: () => words('Commenting on LinkedIn', 'Commented on LinkedIn'),
    linkedin_reply_comment: () => words('Replying on LinkedIn', 'Replied on LinkedIn'),
    linkedin_read_comments: () => words('Reading comments on LinkedIn', 'Read comments on LinkedIn'),
  }),
);

function words(doing: string, done: string): ToolWords {
  return { doing, done };
}

function pair(doing: string, done: string, what: string): ToolWords {
  return { doing: `${doing} ${what}`, done: `${done} ${what}` };
}

/** Tools of servers whose names clash carry the server in front. */
function bareName(tool: string): string {
  return tool.replace(/^.*__/, '');
}

function spaced(tool: string): string {
  return tool.replaceAll(/_+|-+/g, ' ').trim() || 'a tool';
}

function plain(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? short(value) : otherwise;
}

function quoted(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? `“${short(value)}”` : otherwise;
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function isTop(path: unknown): boolean {
  return path === undefined || path === '' || path === '.' || path === '/';
}

function hostOf(url: unknown): string {
  return (typeof url === 'string' && URL.canParse(url) && new URL(url).host) || 'a page';
}
