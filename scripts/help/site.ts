// Makes the documentation site in memory: every page from docs/ and openapi.json, the search index, and a list of dead
// links. `build.ts` writes the files.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { palette } from '../../packages/server/src/doors/http/web-app/page-style.ts';
import { apiPages, type OpenApi } from './api.ts';
import { plainText, type Rendered, renderDocument } from './document.ts';
import { type Chapter, chaptersOf } from './pages.ts';
import { pageHtml } from './template.ts';

export interface Site {
  /** By name. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Pictures and videos that pages show, as paths of the repository. */
  readonly images: ReadonlySet<string>;
  /** Links that lead nowhere, each with the document that has it. */
  readonly deadLinks: readonly string[];
}

/** One entry of the search index: page, id, title of the page, title of the section, text. */
type Entry = readonly [page: string, id: string, pageTitle: string, title: string, text: string];

export function makeSite(root: string): Site {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const chapters = chaptersOf(root);
  const documents = chapters.flatMap(({ documents: all }) => all);
  const surroundings = {
    // The reference says where a program finds the file.
    pages: new Map([
      ...documents.map(({ file, page }) => [file, page] as const),
      ['docs/openapi.json', 'api'],
    ]),
    exists: (path: string) => existsSync(join(root, path)),
  };
  const rendered = documents.map((document) => ({
    ...document,
    ...renderDocument(document, read(document.file), surroundings),
  }));
  const api = apiPages(JSON.parse(read('docs/openapi.json')) as OpenApi);
  const menu = menuOf(chapters, new Map(rendered.map(({ page, title }) => [page, title])));
  const pages = [...rendered, ...api];
  const entries = [
    ...rendered.flatMap(({ page, title, sections }) =>
      sections.map((section): Entry => [page, section.id, title, section.title, section.text]),
    ),
    ...api.map(({ page, title, html }): Entry => [page, '', title, title, plainText(html)]),
  ];
  const images = new Set(rendered.flatMap((page) => page.images));
  const files = new Map<string, string | Buffer>([
    ...pages.map(({ page, title, html }) => [`${page}.html`, pageHtml({ page, title, html, menu })] as const),
    ['help.css', `:root {${palette}\n}\n${read('scripts/help/help.css')}`],
    ['help.js', read('scripts/help/help.js')],
    ['search-index.js', `globalThis.helpIndex = ${JSON.stringify(entries)};\n`],
    ...[...images]
      .filter(surroundings.exists)
      .map((path) => [basename(path), readFileSync(join(root, path))] as const),
  ]);
  return { files, images, deadLinks: deadLinksOf(rendered) };
}

function deadLinksOf(pages: readonly (Rendered & { readonly page: string; readonly file: string })[]) {
  const ids = new Map(
    pages.map(({ page, html }) => [page, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
  );
  return pages.flatMap(({ file, dead, links }) => [
    ...dead.map((url) => `${file}: ${url}`),
    ...links
      .filter(({ page, id }) => id !== '' && !ids.get(page)?.has(id))
      .map(({ written }) => `${file}: ${written}`),
  ]);
}

export interface MenuChapter {
  readonly title: string;
  readonly pages: readonly { readonly page: string; readonly title: string }[];
}

function menuOf(chapters: readonly Chapter[], titles: ReadonlyMap<string, string>): readonly MenuChapter[] {
  return chapters
    .filter(({ isHidden }) => !isHidden)
    .map(({ title, documents }) => ({
      title,
      pages: [
        ...documents.map(({ page }) => ({ page, title: titles.get(page) ?? page })),
        ...(title === 'Reference' ? [{ page: 'api', title: 'API' }] : []),
        ...(title === 'Contribute' ? [{ page: 'decisions', title: titles.get('decisions') ?? '' }] : []),
      ],
    }));
}
