// Builds what runs outside the tests: the server as a bundle, the published packages file by file.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOptions } from './bundle.mjs';
import { bin, root, run } from './workspace.mjs';

// Native code and packages that find their own files on disk stay outside the bundle.
const external = [
  /^libsql/,
  /^@libsql\//,
  /^@vscode\/ripgrep/,
  /^@anthropic-ai\/claude-/,
  /^@lydell\/node-pty/,
  /^@node-rs\//,
];

rmSync(join(root, 'packages/claude-cli/dist'), { recursive: true, force: true });
run(bin('tsc'), ['-p', 'packages/claude-cli/tsconfig.build.json']);

const { build } = await import('rolldown');
rmSync(join(root, 'packages/server/dist'), { recursive: true, force: true });
await build({
  ...bundleOptions,
  cwd: join(root, 'packages/server'),
  input: { main: 'src/main.ts' },
  external,
  output: { dir: 'dist', format: 'esm', sourcemap: true, minify: false, cleanDir: true },
});
