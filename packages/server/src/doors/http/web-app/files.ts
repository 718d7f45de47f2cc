// The files of the built web app, listed once at startup: a browser asks for a name on this list, never for a path on
// disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

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
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(folder, helpFolder, sep)));
  const all = new Set(paths);
  return new Map(
    paths.flatMap((path) => {
      const type = known[extname(path)];
      if (type === undefined) return [];
      const name = relative(folder, path).split(sep).join('/');
      const gzipped = all.has(`${path}.gz`) ? `${path}.gz` : undefined;
      return [[name, { path, type, gzipped, isHashed: name.startsWith('assets/') }] as const];
    }),
  );
}
