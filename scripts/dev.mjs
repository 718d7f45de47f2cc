// `npm run dev`: rebuilds on every change and restarts the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, sourceFolders } from './workspace.mjs';

ensureInstalled();
ensureBuilt();

let server = serve();
let timer;
let isBuilding = false;
let hasChanged = false;
let isEnding = false;
for (const folder of sourceFolders()) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void rebuild(), 150);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isEnding = true;
    void stop(signal).then(() => process.exit(server.exitCode ?? 0));
  });
}

/** One build at a time. What changes meanwhile is built next. */
async function rebuild() {
  hasChanged = true;
  if (isBuilding) return;
  isBuilding = true;
  while (hasChanged) {
    hasChanged = false;
    const build = spawn(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
    const [code] = await once(build, 'exit');
    if (code !== 0) continue;
    await stop('SIGTERM');
    if (!isEnding) server = serve();
  }
  isBuilding = false;
}

async function stop(signal) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

function serve() {
  return spawn(process.execPath, ['packages/server/dist/main.js', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
}
