// Builds the service worker: one file with a stable name, which lists all files that the app needs without a network.
// It changes whenever one of them does, so browsers notice a new version.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Shell } from '../src/service-worker/shell.ts';

type Bundle = Rolldown.OutputBundle;

const source = fileURLToPath(new URL('../src/service-worker/main.ts', import.meta.url));
/** The fonts cover many scripts. The app's own texts need only this one. */
const font = /\/(?:inter|jetbrains-mono)-latin-wght-normal-[\w-]+\.woff2$/;

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const code = await compile(shellOf(bundle));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: code });
    },
  };
}

function shellOf(bundle: Bundle): Shell {
  const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('The app has no entry.');
  const files = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (files.has(name) || chunk?.type !== 'chunk') return;
    files.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    chunk.imports.forEach(add);
    // Pages and languages, but not the parts of libraries that are loaded when a text needs them, such as grammars.
    for (const part of chunk.dynamicImports) {
      const found = bundle[part];
      if (found?.type === 'chunk' && !/node_modules/.test(found.facadeModuleId ?? 'node_modules')) add(part);
    }
  };
  add(entry.fileName);
  for (const name of Object.keys(bundle)) if (font.test(`/${name}`)) files.add(name);
  const list = [...files].toSorted();
  const version = createHash('sha256').update(list.join('\n')).digest('hex').slice(0, 16);
  return { version, entry: entry.fileName, files: list };
}

async function compile(shell: Shell): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { __SHELL__: JSON.stringify(shell) },
    build: { write: false, rolldownOptions: { input: source, output: { format: 'iife' } } },
  });
  const [result] = [built].flat();
  const [file] = result && 'output' in result ? result.output : [];
  if (file?.type !== 'chunk') throw new Error('The service worker could not be built.');
  return file.code;
}
