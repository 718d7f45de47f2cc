// The files of the built web app, listed once at startup: a browser asks for a name on this list, never for a path on
// disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface WebFile {
  readonly path: string;
  readonly type: string;
  /** The compressed copy, if the build made one. */
  readonly gzipped: string | undefined;
  /** The name contains a hash of the content. */
  readonly isHashed: boolean;
}

export interface WebApp {
  /** The page, adapted to the path prefix that Parley is served under and to a language such as `de`. */
  page(basePath: string, language: string): string;
  /** By name relative to the app's folder, such as `assets/index-1a2b.js`. */
  readonly files: ReadonlyMap<string, WebFile>;
  /** The name of the file with the font for Latin text. The pages before a login use it too. */
  readonly font: string | undefined;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

/** The documentation in the app's folder; it needs no login. */
const helpFolder = 'help';

/** The pages of the documentation, by file name. None if they aren't built. */
export function openHelp(webAppFolder: string | undefined): ReadonlyMap<string, WebFile> {
  const folder = webAppFolder === undefined ? undefined : join(webAppFolder, helpFolder);
  if (folder === undefined || !existsSync(folder)) return new Map();
  return listFiles(folder, { ...types, '.html': 'text/html; charset=utf-8', '.webm': 'video/webm' });
}

/** Undefined if the app isn't built. Files of unknown types are not served. */
export function openWebApp(folder: string | undefined): WebApp | undefined {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) return undefined;
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = listFiles(folder, types);
  const font = [...files.keys()].find((name) => /^assets\/inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return { page: (basePath, language) => render(html, basePath, language), files, font };
}

/** All URLs in the page are relative to the base. */
function render(html: string, basePath: string, language: string): string {
  return html
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('<head>', `<head>\n    <base href="${basePath}/" />`);
}

function listFiles(folder: string, known: Readonly<Record<string, string>>): ReadonlyMap<string, WebFile> {
  const names = new Set(namesIn(folder, ''));
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const type = known[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    const gzipped = names.has(`${name}.gz`) ? `${path}.gz` : undefined;
    files.set(name, { path, type, gzipped, isHashed: name.startsWith('assets/') });
  }
  return files;
}

/** Names relative to the folder, with slashes. Leaves out the documentation inside the app. */
function* namesIn(folder: string, parent: string): Generator<string, void, void> {
  for (const entry of readdirSync(join(folder, parent), { withFileTypes: true })) {
    const name = `${parent}${entry.name}`;
    if (entry.isFile()) yield name;
    else if (entry.isDirectory() && name !== helpFolder) yield* namesIn(folder, `${name}/`);
  }
}
