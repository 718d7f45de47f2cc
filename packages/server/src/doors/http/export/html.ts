// A conversation as one HTML page: it loads nothing, runs nothing, follows the light or dark theme, and prints well.
import { escapeHtml } from '../../../content/escape-html.ts';
import { toSafeHtml } from '../../../content/markdown-html.ts';
import { dayAndTime, type ExportFormat, type ExportHead, inputText, toolText } from './format.ts';
import type { ExportItem } from './read-items.ts';

export const htmlExport: ExportFormat = {
  type: 'text/html; charset=utf-8',
  ending: 'html',

  begin: ({ title, exportedAt, workingDir, words }) => `<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p>${escapeHtml(words.exported)} ${dayAndTime(exportedAt, words)}${workingDir === undefined ? '' : ` · <code>${escapeHtml(workingDir)}</code>`}</p>
</header>
`,

  item: (item, head) => `${itemHtml(item, head)}\n`,

  end: () => '</main>\n</body>\n</html>\n',
};

function itemHtml(item: ExportItem, { assistant, words }: ExportHead): string {
  switch (item.kind) {
    case 'prompt': {
      const pictures = item.images.filter(({ mediaType }) => /^image\/(png|jpeg|gif|webp)$/.test(mediaType));
      return [
        `<section class="prompt"><h2>${escapeHtml(item.author ?? words.you)} <time>${dayAndTime(item.at, words)}</time></h2>`,
        ...pictures.map(
          ({ mediaType, data }) =>
            `<img alt="${words.picture}" src="data:${mediaType};base64,${escapeHtml(data)}">`,
        ),
        ...item.files.map(({ name }) => `<p class="file">${words.file}: <bdi>${escapeHtml(name)}</bdi></p>`),
        ...(item.text === '' ? [] : [`<p class="said" dir="auto">${escapeHtml(item.text)}</p>`]),
        '</section>',
      ].join('');
    }
    case 'answer':
      return `<section class="answer" dir="auto"><h2>${escapeHtml(assistant)}</h2>${toSafeHtml(item.text)}</section>`;
    case 'tool':
      return details(`${words.tool}: ${item.name}`, toolText(inputText(item.input), words));
    case 'result':
      return details(
        item.isError ? `${words.result} (${words.failed})` : words.result,
        toolText(item.text, words),
      );
    case 'notice':
      return `<p class="notice">${escapeHtml(item.text)}</p>`;
    default:
      return item satisfies never;
  }
}

function details(summary: string, text: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary><pre>${escapeHtml(text)}</pre></details>`;
}

const style = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1b19; --soft: #5d5a54; --line: #dedad2; --wash: #f4efe6; --code: #f6f4f0; --link: #8a4b12; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a18; --ink: #eceae5; --soft: #aaa59b; --line: #3a3833; --wash: #2b2822; --code: #24221f; --link: #e3a673; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; line-height: 1.3; }
h2 { margin: 0 0 .4rem; font-size: .85rem; color: var(--soft); }
h2 time { font-weight: normal; }
h3 { margin: 1rem 0 .4rem; font-size: 1rem; }
h3.depth-1 { font-size: 1.25rem; }
h3.depth-2 { font-size: 1.1rem; }
header p, .notice { color: var(--soft); font-size: .85rem; }
section { margin: 1.25rem 0; }
.prompt { background: var(--wash); border-radius: .8rem; padding: .8rem 1rem; }
.said { margin: 0; white-space: pre-wrap; }
.file { margin: 0 0 .4rem; }
img { display: block; max-width: 100%; max-height: 24rem; margin-bottom: .5rem; border-radius: .5rem; }
a { color: var(--link); }
pre, code { font-family: ui-monospace, monospace; font-size: .85rem; background: var(--code); border-radius: .3rem; }
code { padding: .1rem .25rem; }
pre { padding: .75rem; overflow-x: auto; white-space: pre-wrap; }
pre code { padding: 0; background: none; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .75rem; }
summary { cursor: pointer; color: var(--soft); font-size: .85rem; }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --wash: #f3f3f3; --code: #f6f6f6; --link: #000; }
  main { max-width: none; padding: 0; }
  body { font-size: 11pt; }
  h2, summary { break-after: avoid; }
  pre, img, table, blockquote { break-inside: avoid; }
  details:not([open]) { display: none; }
}
`;
