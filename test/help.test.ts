// The documentation site is complete, has no dead links, and works with a strict content security policy.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { typeText } from '../scripts/help/api.ts';
import { renderDocument } from '../scripts/help/document.ts';
import { makeSite } from '../scripts/help/site.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = makeSite(root);
const pages = [...site.files].flatMap(([name, content]) =>
  name.endsWith('.html') ? [{ name, html: String(content) }] : [],
);

describe('the documentation', () => {
  it('has no dead link, not even to a heading [ops.help.links]', () => {
    expect(site.deadLinks).toEqual([]);
    const names = new Set(site.files.keys());
    const missing = pages.flatMap(({ name, html }) =>
      [...html.matchAll(/(?:href|src)="([^"#:]+)(?:#[^"]*)?"/g)]
        .map(([, target = '']) => target)
        .filter((target) => !names.has(target))
        .map((target) => `${name}: ${target}`),
    );
    expect(missing).toEqual([]);
    const readme = readFileSync(`${root}/README.md`, 'utf8');
    const linked = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
    expect(linked.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
  });

  it('reports links that lead nowhere', () => {
    const surroundings = { pages: new Map([['docs/a.md', 'a']]), exists: () => false };
    const document = { file: 'docs/a.md', page: 'a' };
    const text =
      '# A\n\n[x](gone.md) [y](#b) ![z](images/gone.png) [v](images/gone.webm) [w](https://example.org)';
    const { dead, links } = renderDocument(document, text, surroundings);
    expect(dead).toEqual(['gone.md', 'images/gone.png', 'images/gone.webm']);
    expect(links).toEqual([{ page: 'a', id: 'b', written: '#b' }]);
  });

  it('quotes what the doctor really says [ops.help.doctor]', () => {
    const sources = readdirSync(`${root}/packages/server/src`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${root}/packages/server/src/${name}`, 'utf8'))
      .join('\n');
    const text = readFileSync(`${root}/docs/troubleshooting.md`, 'utf8');
    const quotes = [...text.matchAll(/^\| (\w[\w ]*?) +\| `([^`]+)`/gm)];
    expect(quotes.length).toBeGreaterThan(20);
    const checks = new Set([...sources.matchAll(/name: (?:'|say`)([\w ]+)['`],$/gm)].map(([, name]) => name));
    expect(quotes.filter(([, check]) => !checks.has(check))).toEqual([]);
    // Without names, paths, codes and numbers, which the doctor fills in.
    const parts = quotes.flatMap(([, , quote = '']) =>
      quote.split(/…|EACCES|Telegram|[():,]|\d/).map((part) => part.trim()),
    );
    expect(parts.filter((part) => part.length > 8 && !sources.includes(part))).toEqual([]);
  });

  it('shows every document and uses every picture [ops.help.complete]', () => {
    const documents = readdirSync(`${root}/docs`).filter((name) => name.endsWith('.md'));
    const names = documents.map((name) => (name === 'help.md' ? 'index.html' : name.replace('.md', '.html')));
    expect([...site.files.keys()]).toEqual(expect.arrayContaining(names));
    const menu = pages[0]?.html ?? '';
    expect(names.filter((name) => !menu.includes(`href="${name}"`))).toEqual([]);
    const readme = readFileSync(`${root}/README.md`, 'utf8');
    const pictures = readdirSync(`${root}/docs/images`).map((name) => `docs/images/${name}`);
    expect(pictures.filter((path) => !site.images.has(path) && !readme.includes(`](${path})`))).toEqual([]);
    // Every clone contains all of their versions.
    const large = pictures.filter((path) => statSync(`${root}/${path}`).size > 1_500_000);
    expect(large).toEqual([]);
  });

  it('has a short animation on the first page of the repository [ops.help.video]', () => {
    const picture = readFileSync(`${root}/docs/images/demo.png`);
    const waits: number[] = [];
    for (let at = 8; at < picture.length; at += picture.readUInt32BE(at) + 12)
      if (picture.toString('latin1', at + 4, at + 8) === 'fcTL')
        waits.push(picture.readUInt16BE(at + 28) / picture.readUInt16BE(at + 30));
    expect(waits.length).toBeGreaterThan(50);
    const seconds = waits.reduce((sum, wait) => sum + wait, 0);
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThan(20);
    expect(readFileSync(`${root}/README.md`, 'utf8')).toContain('](docs/images/demo.png)');
  });

  it('describes every operation of the API, on pages of a readable size [ops.help.api]', () => {
    const { paths } = JSON.parse(readFileSync(`${root}/docs/openapi.json`, 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const text = pages.map(({ html }) => html).join('');
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `<code>${method.toUpperCase()} ${path}</code>`),
    );
    expect(operations.filter((operation) => !text.includes(operation))).toEqual([]);
    const large = pages.filter(({ html }) => html.length > 200_000).map(({ name }) => name);
    expect(large).toEqual([]);
  });

  it('writes types in TypeScript notation', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' }, b: { type: 'array', items: { $ref: '#/components/schemas/B' } } },
    };
    expect(typeText(schema, 0)).toBe('{\n  a: string;\n  b?: @B@[];\n}');
  });

  it('has nothing inline, and needs nothing from elsewhere [ops.help.policy]', () => {
    for (const { html } of pages) {
      expect(html).not.toMatch(/<style|<script(?! src="help\.js")|\sstyle=|\son\w+=/);
      expect(html).not.toMatch(/(?:src|<link[^>]*href)="(?:https?:)?\/\//);
    }
  });
});
