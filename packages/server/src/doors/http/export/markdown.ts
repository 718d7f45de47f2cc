// A conversation as Markdown, for notes and for other models.
import { fenced } from '../../../content/fenced.ts';
import { dayAndTime, type ExportFormat, inputText, toolText } from './format.ts';

export const markdownExport: ExportFormat = {
  type: 'text/markdown; charset=utf-8',
  ending: 'md',

  begin: ({ title, exportedAt, workingDir, words }) =>
    [
      `# ${oneLine(title)}\n`,
      `*${words.exported} ${dayAndTime(exportedAt, words)}*\n`,
      ...(workingDir === undefined ? [] : [`\`${workingDir}\`\n`]),
    ].join('\n'),

  item(item, { assistant, words }) {
    switch (item.kind) {
      case 'prompt': {
        const attached = [
          ...item.images.map(({ mediaType }) => `- ${words.picture}: ${mediaType}`),
          ...item.files.map(({ name }) => `- ${words.file}: ${oneLine(name)}`),
        ];
        const when = dayAndTime(item.at, words);
        const heading = `\n---\n\n## ${oneLine(item.author ?? words.you)}${when === '' ? '' : ` · ${when}`}\n`;
        return [heading, ...(item.text === '' ? [] : [`${item.text}\n`]), ...lines(attached)].join('\n');
      }
      case 'answer':
        return `\n**${oneLine(assistant)}**\n\n${item.text}\n`;
      case 'tool':
        return `\n**${words.tool}: ${oneLine(item.name)}**\n\n${fenced(toolText(inputText(item.input), words), 'json')}\n`;
      case 'result': {
        const label = item.isError ? `${words.result} (${words.failed})` : words.result;
        return `\n${label}:\n\n${fenced(toolText(item.text, words))}\n`;
      }
      case 'notice':
        return `\n> ${item.text.replaceAll('\n', '\n> ')}\n`;
      default:
        return item satisfies never;
    }
  },

  end: () => '',
};

function lines(items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${items.join('\n')}\n`];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
