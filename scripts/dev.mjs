// `npm run dev`: rebuilds on every change and restarts the server.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, packages, root } from './workspace.mjs';

ensureInstalled();
ensureBuilt();

let server = serve();
let timer;
for (const name of packages()) {
  watch(join(root, 'packages', name, 'src'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(rebuild, 150);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.on('exit', (code) => process.exit(code ?? 0));
    server.kill(signal);
  });
}

function rebuild() {
  const build = spawn(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  build.on('exit', (code) => {
    if (code !== 0) return;
    if (server.exitCode !== null) server = serve();
    else {
      server.once('exit', () => {
        server = serve();
      });
      server.kill('SIGTERM');
    }
  });
}

function serve() {
  return spawn(process.execPath, ['packages/server/dist/main.js', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
}
