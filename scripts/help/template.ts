// The frame of every page: search, menu, and the document. Works without scripts, except for the search.
import { escapeHtml } from '../../packages/server/src/content/escape-html.ts';
import type { MenuChapter } from './site.ts';

export interface PageParts {
  readonly page: string;
  readonly title: string;
  readonly html: string;
  readonly menu: readonly MenuChapter[];
}

export function pageHtml({ page, title, html, menu }: PageParts): string {
  const nav = menuHtml(menu, page);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}${page === 'index' ? '' : ' · Parley help'}</title>
<link rel="stylesheet" href="help.css">
<script src="help.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="index.html">Parley help</a>
<search hidden><label for="q">Search</label><input id="q" type="search" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ul id="found" role="listbox" aria-label="Search results" hidden></ul><p id="count" role="status"></p></search>
</header>
<div class="columns">
<details class="menu"><summary>Menu</summary><nav aria-label="Pages, short">${nav}</nav></details>
<nav class="side" aria-label="Pages">${nav}</nav>
<main id="content" tabindex="-1">${html}
</main>
</div>
</body>
</html>
`;
}

function menuHtml(menu: readonly MenuChapter[], current: string): string {
  return menu
    .map(({ title, pages }) => {
      const items = pages.map(
        ({ page, title: name }) =>
          `<li><a href="${page}.html"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`,
      );
      return `<p>${escapeHtml(title)}</p><ul>${items.join('')}</ul>`;
    })
    .join('');
}
