// Shows the claude program's screen in your own terminal.
import { WebSocket } from 'ws';
import { call, credentials, url } from './parley.mjs';

const roots = await (await call('/api/work-folders')).json();
const workingDir = `${roots.folders[0].path}/reading-list`;
const { id } = await (await call('/api/claude/sessions', { body: { workingDir, mode: 'cli' } })).json();

const address = `${url.replace('http', 'ws')}/api/claude/sessions/${id}/terminal`;
const socket = new WebSocket(address, { headers: credentials });
const [cols, rows] = process.stdout.isTTY ? process.stdout.getWindowSize() : [80, 24];

socket.on('open', () => socket.send(JSON.stringify({ type: 'resize', cols, rows })));
socket.on('message', (bytes) => process.stdout.write(bytes));
socket.on('close', (code, reason) => {
  console.log(`\n[closed: ${code} ${String(reason)}]`);
  process.exit();
});

process.stdin.setRawMode?.(true); // Sends each key to the program immediately.
process.stdin.on('data', (keys) => socket.send(keys, { binary: true }));
process.stdin.on('end', () => socket.close());
