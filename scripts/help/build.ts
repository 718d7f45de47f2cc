// Writes the documentation site into a folder.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSite } from './site.ts';

const font = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

export function buildHelp(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { files, deadLinks } = makeSite(root);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  cpSync(join(root, font), join(folder, 'inter.woff2'));
  for (const link of deadLinks) process.stderr.write(`dead link in the documentation: ${link}\n`);
}
