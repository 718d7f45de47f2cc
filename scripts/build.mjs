// Builds the server as a bundle, the web app and the documentation as static files, and the published packages file by file.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleFile, bundleOptions, outsidePackages } from './bundle.mjs';
import { licenseTexts } from './licenses.mjs';
import { bin, root, run } from './workspace.mjs';

const external = [
  ...outsidePackages,
  // Optional: @discordjs/ws and pg work without them.
  'zlib-sync',
  'pg-native',
  // Fastify loads these only when it needs them, and with Parley's own compilers it never does.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
];

for (const name of ['claude-cli', 'recipe-vault']) {
  rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
  run(bin('tsc'), ['-p', `packages/${name}/tsconfig.build.json`]);
}

const { build } = await import('rolldown');
const notAscii = /[^\0-\x7f]/g;
/** Not `node:module`, which the bundle's own helpers import. */
const builtin = new RegExp(`^(node:)?(${builtinModules.filter((name) => name !== 'module').join('|')})$`);
rmSync(join(root, 'packages/server/dist'), { recursive: true, force: true });
const server = await build({
  ...bundleOptions,
  cwd: join(root, 'packages/server'),
  input: {
    main: 'src/main.ts',
    'readable-worker': 'src/tools/web/readable-worker.mjs',
    'strength-worker': 'src/accounts/strength-worker.mjs',
    'read-worker': 'src/stores/sqlite/read-worker.mjs',
    'passage-worker': 'src/engines/claude-code/sessions/text/passage-worker.mjs',
  },
  external,
  plugins: [
    { name: 'ascii', transform: { filter: { code: notAscii }, handler: escaped } },
    {
      name: 'builtins',
      resolveId: { filter: { id: builtin }, handler: (id, _importer, { kind }) => builtinId(id, kind) },
      load: { filter: { id: /^\0(import|require):/ }, handler: loadBuiltin },
    },
  ],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: ({ name }) => (name === 'main' ? '[name].js' : '[name].mjs'),
    sourcemap: true,
    // V8 keeps the text of every file, in half the memory if it is ASCII. The plugin covers what this skips: tagged templates.
    charset: 'ascii',
    // Less to read at startup, and less memory. Names stay readable, for the log.
    minify: { compress: true, mangle: { keepNames: true }, codegen: true },
    // Each file costs time. What every start needs is in two: the other commands use only the first. Both load after the
    // command line is parsed.
    codeSplitting: {
      groups: [
        {
          name: 'command-line',
          test: /src[\\/](cli[\\/](command-line|compile-cache)|version)\.ts$/,
          priority: 2,
        },
        { name: 'data', test: /src[\\/]cli[\\/]on-database\.ts$/, priority: 1 },
        { name: 'server', test: /src[\\/](cli[\\/]serve|app)\.ts$/ },
      ],
    },
    cleanDir: true,
  },
});
// MCP clients start the recipe vault for every conversation, and one file loads faster than many.
const vault = await build({
  ...bundleOptions,
  cwd: join(root, 'packages/recipe-vault'),
  input: { main: 'src/main.ts' },
  external,
  output: { dir: 'dist', format: 'esm', codeSplitting: false },
});

const web = join(root, 'packages/web');
// Even when a test runs the build. Otherwise Vite would bundle the development version of React.
process.env.NODE_ENV = 'production';
const vite = await import('vite');
const app = await vite.build({ root: web, logLevel: 'warn' });
const { buildHelp } = await import(pathToFileURL(await bundleFile('scripts/help/build.ts')).href);
buildHelp(root, join(web, 'dist/help'));
compress(join(web, 'dist'));

writeFileSync(
  join(root, 'packages/server/dist/third-party-licenses.txt'),
  licenseTexts(
    [server, vault, app].flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds)),
  ),
);

/** Writes every character outside of ASCII as an escape, which source code allows. */
function escaped(code) {
  const text = code.replaceAll(notAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { code: text, map: null };
}

/**
 * An `import` of one of Node's modules reads all of its exports, and some of them load much more when they are read: on
 * Node 22, `node:http` loads a whole HTTP client. So the bundle gets these modules without one, and reads only what is used.
 */
function builtinId(id, kind) {
  const name = id.replace(/^(?!node:)/, 'node:');
  if (kind === 'import-statement') return `\0import:${name}`;
  return kind === 'require-call' ? `\0require:${name}` : undefined;
}

function loadBuiltin(id) {
  const [, kind, name] = /^\0(import|require):(.*)/.exec(id);
  const found = `process.getBuiltinModule('${name}')`;
  const names = Object.keys(process.getBuiltinModule(name)).filter((key) => key !== 'default');
  if (kind === 'import')
    return [
      `const found = ${found};`,
      'export default found;',
      ...names.map((key) => `export const ${key} = /* @__PURE__ */ (() => found.${key})();`),
    ].join('\n');
  // Fastify requires it, and never uses it here.
  if (name === 'node:http2')
    return `module.exports = {${names.map((key) => `get ${key}() { return ${found}.${key}; }`).join()}};`;
  return `module.exports = ${found};`;
}

/** Compresses once instead of for every request. */
function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|svg|webmanifest)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    if (content.length > 1_024) writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
