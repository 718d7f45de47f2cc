// A program that writes frames at a steady pace, each with the time it was sent, and a reader that measures their age
// without Parley. This works because all processes on a machine share one clock.
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export function makeFrameWriter(folder: string, everyMs = 1): string {
  const path = join(folder, 'frame-writer');
  writeFileSync(
    path,
    `#!${process.execPath}
const { writeSync } = require('node:fs');
const emit = (frame) => writeSync(1, JSON.stringify(frame) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const line = JSON.parse(text);
  if (line.type === 'control_request') {
    emit({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: {} } });
    return;
  }
  if (line.type !== 'user') return;
  let left = Number(/\\d+/.exec(line.message.content)[0]);
  const timer = setInterval(() => {
    const sent = process.hrtime.bigint().toString();
    emit({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'some words' } }, sent, uuid: 'u' });
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    emit({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, duration_ms: 1, result: '', total_cost_usd: 0, usage: {}, modelUsage: {} });
  }, ${everyMs});
});
`,
  );
  chmodSync(path, 0o755);
  return path;
}

/** When a frame was written, in nanoseconds. Undefined for other lines. */
export function sentAt(frame: string): bigint | undefined {
  const sent = /"sent":"(\d+)"/.exec(frame)?.[1];
  return sent === undefined ? undefined : BigInt(sent);
}

/** How many milliseconds ago a frame was written. Undefined for other lines. */
export function ageOf(frame: string): number | undefined {
  const sent = sentAt(frame);
  return sent === undefined ? undefined : Number(process.hrtime.bigint() - sent) / 1e6;
}

/** The ages of the frames when they reach a reader without Parley. */
export async function readBare(program: string, frames: number): Promise<number[]> {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const ages: number[] = [];
  child.stdin.write(
    `${JSON.stringify({ type: 'user', message: { role: 'user', content: `Say ${frames}` } })}\n`,
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const age = ageOf(line);
    if (age !== undefined) ages.push(age);
    if (ages.length === frames) break;
  }
  child.kill('SIGKILL');
  return ages;
}
