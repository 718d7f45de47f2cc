// A program that starts and exits quickly, but sends and stores what the real one does in a short turn, for hundreds of
// sessions.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function makeSleeper(folder: string): string {
  const path = join(folder, 'sleeper');
  writeFileSync(path, `#!${process.execPath}\n${source}`);
  chmodSync(path, 0o755);
  return path;
}

const source = `
const { appendFileSync, mkdirSync, writeSync } = require('node:fs');
const { randomUUID } = require('node:crypto');
const id = /--session-id[= ]([0-9a-f-]{36})/.exec(process.argv.join(' '))?.[1];
const cwd = process.cwd();
const folder = process.env.HOME + '/.claude/projects/' + cwd.replace(/[^a-zA-Z0-9]/g, '-');
const emit = (frame) => writeSync(1, JSON.stringify({ ...frame, session_id: id, uuid: frame.uuid ?? randomUUID() }) + '\\n');
const store = (line) => appendFileSync(folder + '/' + id + '.jsonl', JSON.stringify({ ...line, sessionId: id, cwd, timestamp: new Date().toISOString() }) + '\\n');
mkdirSync(folder, { recursive: true });
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const line = JSON.parse(text);
  if (line.type === 'control_request') {
    writeSync(1, JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: {} } }) + '\\n');
    return;
  }
  if (line.type !== 'user') return;
  const said = 'Something about beans and peas. '.repeat(40);
  const [asked, answered] = [randomUUID(), randomUUID()];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [{ type: 'text', text: said }] };
  store({ type: 'user', message: line.message, uuid: asked, parentUuid: null, isSidechain: false });
  emit({ type: 'system', subtype: 'init', cwd, model: 'claude-sonnet-4-5', tools: Array.from({ length: 40 }, (_, at) => 'Tool' + at), permissionMode: 'default' });
  for (let at = 0; at < 40; at += 1) {
    emit({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Something about beans and peas. ' } }, parent_tool_use_id: null });
  }
  emit({ type: 'assistant', message, parent_tool_use_id: null, uuid: answered });
  store({ type: 'assistant', message, uuid: answered, parentUuid: asked, isSidechain: false });
  store({ type: 'api-request-shape', shape: 'x'.repeat(110000) });
  emit({ type: 'result', subtype: 'success', is_error: false, duration_ms: 1, num_turns: 1, result: said, total_cost_usd: 0.01, usage: { input_tokens: 1, output_tokens: 1 } });
}).on('close', () => process.exit(0));
`;
