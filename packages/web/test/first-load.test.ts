// How much the built page loads before it can be used. Pages, dialogs and the texts of a language are split off.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../dist');

it('loads at most 200 KB of JavaScript before split parts, and no schemas [app.first-load]', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const scripts = names.map((name) => readFileSync(join(dist, name)));
  expect(scripts.length).toBeGreaterThan(1);
  const sizes = scripts.map((script) => gzipSync(script, { level: 9 }).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
  // The validation library alone is 30 KB, and one schema brings all of it.
  expect(names.filter((_, at) => scripts[at]?.includes('_zod'))).toEqual([]);
});
