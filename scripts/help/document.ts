// Turns one document into the body of a page, sections for the search, and a list of its dead links.
import { posix } from 'node:path';
import { escapeHtml } from '../../packages/server/src/content/escape-html.ts';
import { toHtml } from '../../packages/server/src/content/markdown-html.ts';
import type { Document } from './pages.ts';

/** What the links of a document can lead to. */
export interface Surroundings {
  /** The pages of documents, by their file. */
  readonly pages: ReadonlyMap<string, string>;
  /** Whether a path in the repository exists. */
  readonly exists: (path: string) => boolean;
}

export interface Section {
  /** Empty for the beginning of the page. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** Pictures and videos that it shows, as paths of the repository. */
  readonly images: readonly string[];
  /** Pages and sections that it links to. */
  readonly links: readonly { readonly page: string; readonly id: string; readonly written: string }[];
  /** Links to files that don't exist. */
  readonly dead: readonly string[];
}

export function renderDocument(
  { file, page }: Document,
  markdown: string,
  { pages, exists }: Surroundings,
): Rendered {
  const text = markdown.replaceAll(/<!--[\s\S]*?-->/g, '');
  const folder = posix.dirname(file);
  const ids = new Map<string, number>();
  const headings: { id: string; title: string }[] = [];
  const images: string[] = [];
  const links: { page: string; id: string; written: string }[] = [];
  const dead: string[] = [];
  let title = '';

  const html = toHtml(text, {
    heading({ depth }, inner) {
      const plain = plainText(inner);
      if (depth === 1 && title === '') title = plain;
      const id = uniqueId(plain, ids);
      headings.push({ id, title: plain });
      return `\n<h${depth} id="${id}">${inner}</h${depth}>`;
    },
    link(url, label) {
      if (/^(https?|mailto):/.test(url))
        return `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${label}</a>`;
      const [path = '', id = ''] = url.split('#');
      const target = path === '' ? file : posix.join(folder, path).replace(/\/$/, '');
      if (target.endsWith('.webm')) {
        if (!exists(target)) dead.push(url);
        images.push(target);
        return videoHtml(posix.basename(target), label);
      }
      const other = pages.get(target) ?? pages.get(`${target}/README.md`);
      if (other === undefined) {
        if (!exists(target)) dead.push(url);
        // Only people with the source, or an installation, have this file.
        return label;
      }
      links.push({ page: other, id, written: url });
      const address = other === page && id !== '' ? '' : `${other}.html`;
      return `<a href="${address}${id === '' ? '' : `#${id}`}">${label}</a>`;
    },
    image(url, alt) {
      const path = posix.join(folder, url);
      if (!exists(path)) dead.push(url);
      images.push(path);
      return `<img src="${posix.basename(url)}" alt="${alt}" loading="lazy">`;
    },
    code: (value) => `<pre tabindex="0"><code>${escapeHtml(value)}</code></pre>`,
    table: (inner) =>
      `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${inner}</table></div>`,
  });
  return { title, html, sections: sectionsOf(html, headings), images, links, dead };
}

/** Elsewhere, such as on GitHub, Markdown shows the video as a link. */
function videoHtml(name: string, label: string): string {
  const about = escapeHtml(plainText(label));
  return `<video src="${name}" controls preload="metadata" aria-label="${about}"><a href="${name}">${label}</a></video>`;
}

function sectionsOf(
  html: string,
  headings: readonly { readonly id: string; readonly title: string }[],
): readonly Section[] {
  const parts = html.split(/\n<h\d id="[^"]*">.*?<\/h\d>/s).slice(1);
  return parts.map((part, at) => ({
    id: at === 0 ? '' : (headings[at]?.id ?? ''),
    title: headings[at]?.title ?? '',
    text: plainText(part),
  }));
}

/** The same ids as on other sites that show Markdown, so that a link works on both. */
function uniqueId(title: string, used: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = used.get(id) ?? 0;
  used.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function plainText(html: string): string {
  return html
    .replaceAll(/<\/(?:p|li|tr|td|th|pre|h\d)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
