// Lets the app import message catalogs: compiles a PO file while building, so that the page needs no parser.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import type { Plugin } from 'vite';

export function messageCatalogs(): Plugin {
  return {
    name: 'message-catalogs',
    async load(id) {
      const [file = ''] = id.split('?');
      if (!file.endsWith('.po')) return null;
      this.addWatchFile(file);
      const catalog = compileCatalog(await readFile(file, 'utf8'), basename(file) === 'en.po');
      return { code: `export default ${JSON.stringify(catalog)}`, moduleType: 'js' };
    },
  };
}

/** Compiled messages by English text. Untranslated texts stay English; the English catalog leaves out plain ones. */
export function compileCatalog(po: string, isSource = false): Record<string, unknown> {
  const compiled = PO.parse(po).items.map(
    ({ msgid, msgstr }) => [msgid, compileMessageOrThrow(msgstr[0] || msgid)] as const,
  );
  return Object.fromEntries(
    compiled.filter(([text, [first, ...rest]]) => !(isSource && rest.length === 0 && first === text)),
  );
}
