// Decides which documents are pages of the site, and in which order its menu shows them. A new document in docs/
// appears at the end of the chapter “Run a server” until somebody gives it a better place here.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Document {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** The name of the page, without `.html`. */
  readonly page: string;
}

export interface Chapter {
  readonly title: string;
  readonly documents: readonly Document[];
  /** Not in the menu of every page. */
  readonly isHidden?: boolean;
}

const docs = (...names: readonly string[]): readonly Document[] =>
  names.map((name) => ({ file: `docs/${name}.md`, page: name === 'help' ? 'index' : name }));

const placed: readonly Chapter[] = [
  { title: 'Start', documents: docs('help', 'getting-started', 'comparison') },
  { title: 'Doors', documents: docs('browser', 'terminal', 'telegram', 'discord', 'programs', 'push') },
  { title: 'How to', documents: docs('family-kitchen', 'household', 'team', 'three-servers', 'tools') },
  {
    title: 'Run a server',
    documents: [
      ...docs('install', 'operations', 'troubleshooting', 'upgrading', 'postgresql', 'scaling'),
      { file: 'SECURITY.md', page: 'security' },
    ],
  },
  { title: 'Reference', documents: docs('configuration', 'commands') },
  {
    title: 'Contribute',
    documents: [
      { file: 'CONTRIBUTING.md', page: 'contributing' },
      { file: 'ARCHITECTURE.md', page: 'architecture' },
      { file: 'CONTEXT.md', page: 'glossary' },
      { file: 'CHANGELOG.md', page: 'changelog' },
    ],
  },
];

/** All chapters, with only the documents that exist. */
export function chaptersOf(root: string): readonly Chapter[] {
  const found = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const known = new Set(placed.flatMap(({ documents }) => documents.map(({ file }) => file)));
  const exists = ({ file }: Document) =>
    !file.startsWith('docs/') || found.includes(file.slice('docs/'.length));
  const others = found
    .filter((name) => !known.has(`docs/${name}`))
    .map((name) => name.slice(0, -'.md'.length));
  const records = readdirSync(join(root, 'docs/adr')).filter((name) => name.endsWith('.md'));
  return [
    ...placed.map((chapter) => ({
      ...chapter,
      documents: [
        ...chapter.documents.filter(exists),
        ...(chapter.title === 'Run a server' ? docs(...others) : []),
      ],
    })),
    {
      title: 'Decisions',
      isHidden: true,
      documents: records.map((name) => ({
        file: `docs/adr/${name}`,
        page: name === 'README.md' ? 'decisions' : `decision-${name.slice(0, -'.md'.length)}`,
      })),
    },
  ];
}
