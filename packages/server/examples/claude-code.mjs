// Works with the claude program: a permission, a prompt that waits, a lost connection, a stop.
import { on } from 'node:events';
import { WebSocket } from 'ws';
import { call, credentials, url } from './parley.mjs';

const roots = await (await call('/api/work-folders')).json();
const workingDir = `${roots.folders[0].path}/reading-list`;
const { id } = await (await call('/api/claude/sessions', { body: { workingDir } })).json();

let after; // The last number seen.
const seen = new Set(); // The frames seen, by uuid.
let waiting = 0;
let socket = connect();

for await (const { type, data, ...frame } of messages()) {
  if (type === 'connected') {
    send({ type: 'text', content: 'Run touch hello.txt' });
    send({ type: 'text', content: 'Read src/backend/server.mjs' });
  }
  if (type === 'queue_update' && data.prompts.length !== waiting) {
    waiting = data.prompts.length;
    console.log(`[${waiting} waiting]`);
  }
  if (type === 'control_request') {
    console.log(`[allow? ${data.tool_name}: ${data.tool_input.command}]`);
    send({ type: 'permission_response', requestId: data.request_id, behavior: 'allow' });
  }
  if (type === 'assistant') tell(frame.message);
  if (type === 'result') break;
}

socket.close();
console.log('[the connection is lost]');
socket = connect();

for await (const { type, data, ...frame } of messages()) {
  if (type === 'connected' && data.reset) console.log('[missed too much: start over]');
  if (type === 'assistant') tell(frame.message);
  if (type === 'result') break;
}

send({ type: 'text', content: 'Count to 2000' });
let isStopping = false;
for await (const { type, ...frame } of messages()) {
  if (type === 'stream_event' && frame.event.type === 'content_block_delta' && !isStopping) {
    isStopping = true;
    send({ type: 'interrupt' });
  }
  if (type === 'result') break;
}
console.log('[stopped]');
socket.close();

function connect() {
  const place = after === undefined ? '' : `?after=${after}`;
  const address = `${url.replace('http', 'ws')}/api/claude/sessions/${id}/ws${place}`;
  return new WebSocket(address, { headers: credentials });
}

function send(message) {
  socket.send(JSON.stringify(message));
}

/** Remembers the last number, and skips frames that come again after a reconnect. */
async function* messages() {
  for await (const [bytes] of on(socket, 'message', { close: ['close'] })) {
    const message = JSON.parse(bytes);
    if (seen.has(message.uuid)) continue;
    if (message.uuid) seen.add(message.uuid);
    if (message.type === 'connected') after = message.data.after;
    else after = message.data?.seq ?? after;
    if (message.type === 'error') console.error(message.error);
    yield message;
  }
}

function tell({ content }) {
  for (const block of content) {
    if (block.type === 'text') console.log(block.text);
    if (block.type === 'tool_use') console.log(`[${block.name}]`);
  }
}
