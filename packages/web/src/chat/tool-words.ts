// Describes a tool call in words, while it runs and afterwards.
import { t } from '../i18n/translate.ts';

export interface ToolWords {
  readonly doing: string;
  readonly done: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function toolWords(tool: string, input: unknown): ToolWords {
  const fields = typeof input === 'object' && input !== null ? (input as Fields) : {};
  const name = tool.replaceAll(/_+|-+/g, ' ').trim();
  return (
    known.get(bareName(tool))?.(fields) ?? {
      doing: t('Using {name}', { name }),
      done: t('Used {name}', { name }),
    }
  );
}

/** Undefined if the input lacks what the words need. */
const known: ReadonlyMap<string, (input: Fields) => ToolWords | undefined> = new Map(
  Object.entries<(input: Fields) => ToolWords | undefined>({
    list_recipes: () => ({
      doing: t('Looking through your recipes'),
      done: t('Looked through your recipes'),
    }),
    get_recipe: () => ({ doing: t('Reading a recipe'), done: t('Read a recipe') }),
    create_recipe: ({ title }) =>
      about(title, (name) => ({
        doing: t('Saving “{name}”', { name }),
        done: t('Saved “{name}”', { name }),
      })),
    update_recipe: () => ({ doing: t('Changing a recipe'), done: t('Changed a recipe') }),
    delete_recipe: () => ({ doing: t('Removing a recipe'), done: t('Removed a recipe') }),
    display_recipe: ({ title }) =>
      about(title, (name) => ({
        doing: t('Opening “{name}”', { name }),
        done: t('Opened “{name}”', { name }),
      })) ?? {
        doing: t('Opening the recipe'),
        done: t('Opened the recipe'),
      },
    list_directory: ({ path }) =>
      isTop(path)
        ? { doing: t('Looking through your notes'), done: t('Looked through your notes') }
        : about(path, (name) => ({
            doing: t('Looking in {name}', { name }),
            done: t('Looked in {name}', { name }),
          })),
    read_file: ({ path }) =>
      about(path, (name) => ({ doing: t('Reading {name}', { name }), done: t('Read {name}', { name }) })),
    write_file: ({ path }) =>
      about(path, (name) => ({ doing: t('Writing {name}', { name }), done: t('Wrote {name}', { name }) })),
    search_files: ({ query }) =>
      about(query, (words) => ({
        doing: t('Searching your notes for “{words}”', { words }),
        done: t('Searched your notes for “{words}”', { words }),
      })),
    web_search: ({ query }) =>
      about(query, (words) => ({
        doing: t('Searching the web for “{words}”', { words }),
        done: t('Searched the web for “{words}”', { words }),
      })),
    web_fetch: ({ url }) =>
      about(hostOf(url), (name) => ({
        doing: t('Reading {name}', { name }),
        done: t('Read {name}', { name }),
      })),
    linkedin_post: () => ({ doing: t('Posting on LinkedIn'), done: t('Posted on LinkedIn') }),
    linkedin_post_comment: () => ({ doing: t('Commenting on LinkedIn'), done: t('Commented on LinkedIn') }),
    linkedin_reply_comment: () => ({ doing: t('Replying on LinkedIn'), done: t('Replied on LinkedIn') }),
    linkedin_read_comments: () => ({
      doing: t('Reading comments on LinkedIn'),
      done: t('Read comments on LinkedIn'),
    }),
  }),
);

function about(value: unknown, words: (name: string) => ToolWords): ToolWords | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return words(value.length > 60 ? `${value.slice(0, 59)}…` : value);
}

/** If two servers have a tool with the same name, it is prefixed with the server's name. */
function bareName(tool: string): string {
  return tool.replace(/^.*__/, '');
}

function isTop(path: unknown): boolean {
  return path === undefined || path === '' || path === '.' || path === '/';
}

function hostOf(url: unknown): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : undefined;
}
