// Makes a page readable: finds its article and converts it to Markdown. Runs in a separate thread, which readable-page.ts
// terminates when it takes too long: a malicious page could make this take minutes.
// Plain JavaScript, because Node also starts it from the sources.
import { parentPort } from 'node:worker_threads';
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

/** Deeper than people nest; the reader's work grows with the square of the depth. */
const deepest = 150;
const leastArticle = 200;
const noise =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, nav, footer, form, dialog';

parentPort.on('message', ({ id, request: { html, url } }) => {
  parentPort.postMessage({ id, result: readPage(html, url) }, []);
});

function readPage(html, url) {
  const document = parse(html, url);
  const title = titleOf(document);
  if (depthOf(document) > deepest) return { title, markdown: document.body.textContent };
  const article = isProbablyReaderable(document) ? new Readability(document).parse() : null;
  if (article !== null && article.length >= leastArticle) {
    return { title: article.title || title, markdown: toMarkdown(article.content) };
  }
  // The reader has modified its document.
  const whole = parse(html, url);
  for (const element of whole.querySelectorAll(noise)) element.remove();
  return { title, markdown: toMarkdown(whole.body.innerHTML) };
}

function parse(html, url) {
  const isDocument = /<(html|body|head)[\s>]/i.test(html.slice(0, 10_000));
  const { document } = parseHTML(isDocument ? html : `<html><body>${html}</body></html>`);
  const base = resolved(document.querySelector('base[href]')?.getAttribute('href') ?? '', url) ?? url;
  for (const link of document.querySelectorAll('a[href]')) {
    const target = resolved(link.getAttribute('href'), base);
    if (target !== undefined && /^(https?|mailto):/.test(target)) link.setAttribute('href', target);
    else link.removeAttribute('href');
  }
  return document;
}

function resolved(address, base) {
  return URL.canParse(address, base) ? new URL(address, base).href : undefined;
}

function titleOf(document) {
  const title = document.querySelector('title')?.textContent || document.querySelector('h1')?.textContent;
  return (title ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

function depthOf(document) {
  let depth = 0;
  let most = 0;
  for (let node = document.documentElement; node; ) {
    if (node.firstElementChild) {
      node = node.firstElementChild;
      depth += 1;
      most = Math.max(most, depth);
      continue;
    }
    while (node && !node.nextElementSibling) {
      node = node.parentElement;
      depth -= 1;
    }
    node = node?.nextElementSibling;
  }
  return most;
}

function toMarkdown(html) {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    hr: '---',
  });
  // A model reads this, not a browser: the text needs no escaping.
  service.escape = (text) => text;
  service.remove(['script', 'style', 'noscript', 'template']);
  // A picture would only be an address that could trick somebody into loading it.
  service.addRule('picture', {
    filter: 'img',
    replacement: (_, node) => {
      const text = (node.getAttribute('alt') ?? '').replaceAll(/\s+/g, ' ').trim();
      return text === '' ? '' : `[image: ${text}]`;
    },
  });
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content) => ` ${content.trim().replaceAll(/\s*\n\s*/g, ' ')} |`,
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const cells = node.cells?.length ?? node.children.length;
      const rule = node === firstRow(node) ? `\n|${'---|'.repeat(cells)}` : '';
      return `\n|${content}${rule}`;
    },
  });
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule('part of a table', {
    filter: ['thead', 'tbody', 'tfoot'],
    replacement: (content) => content,
  });
  return service.turndown(html);
}

function firstRow(row) {
  let table = row.parentNode;
  while (table && table.nodeName !== 'TABLE') table = table.parentNode;
  return table?.getElementsByTagName('tr')[0];
}
