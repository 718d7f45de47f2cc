// Renders docs/configuration.md from the schema; `npm run generate` writes it.
import { z } from 'zod';
import { isCollection } from './collections.ts';
import { type Applies, appliesWhen } from './editable.ts';
import { allSettings, chapters } from './schema.ts';
import { aboutSettings, type SettingInfo } from './setting.ts';

/** A node of the JSON Schema, with its description from the registry. */
type Node = z.core.JSONSchema.BaseSchema & Partial<SettingInfo>;

interface Row {
  readonly key: string;
  readonly node: Node;
  readonly required: boolean;
}

export function configurationReference(): string {
  return [introduction, ...chapters.map(chapterText), inTheApp(), example].join('\n\n');
}

function chapterText({ title, settings }: (typeof chapters)[number]): string {
  const schema = z.toJSONSchema(z.strictObject(settings), {
    io: 'input',
    metadata: aboutSettings,
    unrepresentable: 'any',
  });
  return `## ${title}\n\n${table(rowsOf(schema, ''))}`;
}

const introduction = `# Configuration

<!-- Generated from the schema by \`npm run generate\`. Do not edit by hand. -->

You don't have to configure anything: without any settings, Parley runs in demo mode on loopback. Settings come from
four places; later ones win:

1. The app: what people have set there, stored in \`settings.json\` in \`home\`. See [Settings in the app](#settings-in-the-app).
2. \`parley.config.json\`: the file given with \`--config\`, else the one in the current folder, else the one in \`home\`.
   Relative paths in it are relative to its folder; \`~\` is the user's home.
3. Environment variables. An empty variable counts as not set. Separate the entries of a list with commas.
4. Flags of \`parley\`: \`--home\`, \`--host\`, \`--port\`.

\`parley config\` shows the effective settings and where each one comes from, and \`parley doctor\` checks that they
work. Parley reports all problems at once, including unknown keys, and never shows secrets.`;

const example = `## Example

\`\`\`json
{
  "people": ["sebastian", "petra"],
  "vaultRoot": "~/notes",
  "apiKeys": [
    {
      "sha256": "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
      "person": "petra",
      "label": "phone"
    }
  ],
  "limits": { "requestsPerMinute": 120 }
}
\`\`\`
`;

function inTheApp(): string {
  const rows = allSettings.flatMap(({ key }) => {
    const applies = appliesWhen(key);
    return applies === undefined ? [] : [[code(isCollection(key) ? `${key}.*` : key), when[applies]]];
  });
  return `## Settings in the app

People with the right \`settings\` can change these while the server runs: in the app under Settings, or over
\`/api/settings\`. A value in the configuration file, the environment or a flag wins; the app shows it and says where it
comes from. MCP servers, assistants and bots are set one by one, so the app can add to those in the file. All other settings
are read once, when the server starts.

The app never shows a secret that was set. A stored setting that is wrong, or that no longer fits the file, is ignored, and
\`parley doctor\` reports it. Settings that start programs or let others in (MCP servers with a command, bots, work roots)
also need the right \`programs\`, which only owners with an account have.

${tableOf([['Key', 'A change takes effect'], ...rows])}`;
}

const when: Readonly<Record<Applies, string>> = {
  now: 'at once',
  'next-turn': 'with the next turn',
  'new-sessions': 'for new sessions',
  'restarts-bot': 'at once; the affected bots reconnect',
  'next-start': 'when the server starts again',
};

function rowsOf(node: Node, path: string): readonly Row[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = path ? `${path}.${name}` : name;
    const inner = child as Node;
    const items = inner.items as Node | undefined;
    const values = inner.additionalProperties;
    const row = { key, node: inner, required: node.required?.includes(name) === true };
    return [
      ...(inner.meaning === undefined ? [] : [row]),
      ...rowsOf(inner, key),
      ...(items ? rowsOf(items, `${key}[]`) : []),
      ...(typeof values === 'object' ? rowsOf(values, `${key}.*`) : []),
    ];
  });
}

function table(rows: readonly Row[]): string {
  return tableOf([['Key', 'Environment', 'Type', 'Default', 'Meaning'], ...rows.map(cellsOf)]);
}

/** Pads columns like the formatter. */
function tableOf(lines: readonly (readonly string[])[]): string {
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const [head, ...body] = lines.map((cells) =>
    line(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0))),
  );
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

function cellsOf(row: Row): readonly string[] {
  const { node, key } = row;
  const cells = [
    code(key),
    node.env ? code(node.env) : '',
    typeText(node),
    defaultText(row),
    node.meaning ?? '',
  ];
  return cells.map((cell) => cell.replaceAll('|', '\\|'));
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function typeText(node: Node): string {
  if (node.enum) return node.enum.map((value) => code(String(value))).join(', ');
  switch (node.type) {
    case 'integer':
      return `whole number${rangeText(node)}`;
    case 'number':
      return `number${rangeText(node)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      if (node.form === 'paths') return 'list of paths';
      return (node.items as Node | undefined)?.type === 'object' ? 'list of objects' : 'list of strings';
    case 'object':
      return 'object';
    default:
      if (node.secret && node.default === undefined) return 'secret string';
      return node.form === 'path' ? 'path' : 'string';
  }
}

function rangeText({ minimum, maximum }: Node): string {
  if (minimum === undefined) return '';
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `, ${minimum} or more`
    : `, ${minimum} to ${maximum}`;
}

function defaultText({ node, required }: Row): string {
  if (required) return 'required';
  if (node.fallback !== undefined) return node.fallback;
  if (isNothing(node.default)) return 'none';
  return code(typeof node.default === 'string' ? oneLine(node.default) : JSON.stringify(node.default));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A table row can't contain line breaks. */
function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
