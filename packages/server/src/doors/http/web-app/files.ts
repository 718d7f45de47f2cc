// The files of the built web app. They are listed once, so that what a browser asks for is a name on a list and
// never a path on the disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface WebFile {
  readonly path: string;
  readonly type: string;
  /** The same, compressed, where the build made it. */
  readonly gzipped: string | undefined;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
}

export interface WebApp {
  /** The page, below the path at which Parley is reached. */
  page(basePath: string): string;
  /** By the name below the folder of the app, such as `assets/index-1a2b.js`. */
  readonly files: ReadonlyMap<string, WebFile>;
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

/** Nothing where the app is not built. Files of unknown kinds are not served. */
export function openWebApp(folder: string | undefined): WebApp | undefined {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) return undefined;
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  return { page: (basePath) => render(html, basePath), files: listFiles(folder) };
}

/** Every address in the page is relative to the base. */
function render(html: string, basePath: string): string {
  return html.replace('<head>', `<head>\n    <base href="${basePath}/" />`);
}

function listFiles(folder: string): ReadonlyMap<string, WebFile> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(paths);
  return new Map(
    paths.flatMap((path) => {
      const type = types[extname(path)];
      if (type === undefined) return [];
      const name = relative(folder, path).split(sep).join('/');
      const gzipped = known.has(`${path}.gz`) ? `${path}.gz` : undefined;
      return [[name, { path, type, gzipped, isHashed: name.startsWith('assets/') }] as const];
    }),
  );
}
