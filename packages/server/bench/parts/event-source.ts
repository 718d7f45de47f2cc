// An upstream that writes an event with the current time every millisecond, and a program that reads them as `claude` reads
// an answer: directly, or through a proxy or the relay. All processes on a machine share one clock.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface EventSource extends AsyncDisposable {
  readonly url: string;
}

export async function startEventSource(folder: string, events: number): Promise<EventSource> {
  const path = join(folder, 'event-source.cjs');
  writeFileSync(
    path,
    `const server = require('node:http').createServer((request, response) => {
  if (request.method !== 'POST') return response.end();
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let left = ${events};
    const timer = setInterval(() => {
      const data = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'some words' }, sent: process.hrtime.bigint().toString() };
      response.write('event: content_block_delta\\ndata: ' + JSON.stringify(data) + '\\n\\n');
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      response.end();
    }, 1);
  });
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
`,
  );
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** A program that answers each prompt with the ages of the events it read, as the text of its result. */
export function makeEventReader(folder: string): string {
  const path = join(folder, 'event-reader');
  writeFileSync(
    path,
    `#!${process.execPath}
const emit = (frame) => process.stdout.write(JSON.stringify(frame) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const line = JSON.parse(text);
  if (line.type === 'control_request') {
    emit({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: {} } });
    return;
  }
  if (line.type !== 'user') return;
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: token } = process.env;
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  const ages = [];
  const request = require('node:http').request(url + '/v1/messages', { method: 'POST', headers }, (answer) => {
    answer.setEncoding('latin1');
    answer.on('data', (chunk) => {
      const now = process.hrtime.bigint();
      for (const [, sent] of chunk.matchAll(/"sent":"(\\d+)"/g)) ages.push(Number(now - BigInt(sent)) / 1e6);
    });
    answer.on('end', () => emit({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, duration_ms: 1, result: JSON.stringify(ages), total_cost_usd: 0, usage: {}, modelUsage: {} }));
  });
  request.end('{"stream":true}');
});
`,
  );
  chmodSync(path, 0o755);
  return path;
}

/** Undefined for other frames. */
export function agesIn(frame: string): number[] | undefined {
  if (!frame.includes('"type":"result"')) return undefined;
  return JSON.parse((JSON.parse(frame) as { result: string }).result) as number[];
}

/** The ages of the events when they reach the program without Parley. */
export async function readWithoutParley(program: string, url: string): Promise<number[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'], env: { ANTHROPIC_BASE_URL: url } });
  child.stdin.write('{"type":"user"}\n');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  child.kill('SIGKILL');
  return agesIn(line) ?? [];
}
