// Measures how fast frames of a captured file are parsed, compared with plain loops that split and parse, all at once
// or line by line (the faster one counts). Also measures lines of 50 MB.
import { parseArgs } from 'node:util';
import { type Figure, report } from '../../../bench/report.ts';
import { FrameReader, LineSplitter, topLevelType } from '../src/index.ts';

const MB = 1024 * 1024;
const CHUNK = 64 * 1024;
const { values } = parseArgs({ options: { full: { type: 'boolean', default: false } }, strict: false });
const rounds = values.full === true ? 25 : 9;

report('frames', [...parseFigures(), ...longLineFigures()]);

function parseFigures(): Figure[] {
  const { bytes, frames } = capture(200_000);
  const chunks = cut(bytes);
  const plain = () => {
    let count = 0;
    for (const line of bytes.toString('utf8').split('\n')) {
      if (line !== '' && JSON.parse(line)) count += 1;
    }
    return count;
  };
  const plainByLine = () => {
    let count = 0;
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      if (JSON.parse(bytes.toString('utf8', start, end))) count += 1;
      start = end + 1;
    }
    return count;
  };
  const ours = () => {
    let count = 0;
    const reader = new FrameReader({
      onFrame: () => {
        count += 1;
      },
    });
    for (const chunk of chunks) reader.push(chunk);
    reader.end();
    return count;
  };
  const scan = () => {
    let count = 0;
    const splitter = new LineSplitter({
      onLine: (line) => {
        if (topLevelType(line) !== undefined) count += 1;
      },
    });
    for (const chunk of chunks) splitter.push(chunk);
    return count;
  };
  const [wholeMs = NaN, byLineMs = NaN, oursMs = NaN, scanMs = NaN] = sideBySide(
    [plain, plainByLine, ours, scan],
    frames,
  );
  const plainMs = Math.min(wholeMs, byLineMs);
  const rate = (ms: number) => `${Math.round(frames / ms)} frames/ms`;
  return [
    {
      what: 'frames from a file / split and JSON.parse',
      value: (plainMs / oursMs) * 100,
      unit: '%',
      goal: { atLeast: 80 },
      comparison: `${rate(oursMs)} vs ${rate(plainMs)}`,
    },
    {
      what: 'time per frame',
      value: (oursMs * 1000) / frames,
      unit: 'µs',
      comparison: `plain: ${((plainMs * 1000) / frames).toFixed(2)} µs`,
    },
    { what: 'type only, without parsing', value: (scanMs * 1000) / frames, unit: 'µs per frame' },
  ];
}

/** Twice the length must take about twice the time; joining the parts repeatedly would take four times. */
function longLineFigures(): Figure[] {
  const splits = [50, 100].map((size) => {
    const chunks = cut(
      Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(size * MB, 0x61), Buffer.from('"}\n')]),
    );
    return () => {
      let seen = 0;
      const splitter = new LineSplitter({
        maxLineBytes: 128 * MB,
        onLine: (found) => {
          seen = Math.floor(found.length / size / MB);
        },
      });
      for (const chunk of chunks) splitter.push(chunk);
      return seen;
    };
  });
  const [half = NaN, whole = NaN] = sideBySide(splits, 1);
  return [
    {
      what: 'line of 50 MB in 64 KB chunks',
      value: half,
      unit: 'ms',
      comparison: `line of 100 MB: ${whole.toFixed(1)} ms`,
    },
    { what: 'line of 100 MB / line of 50 MB', value: whole / half, unit: '×', goal: { atMost: 3 } },
  ];
}

/**
 * Runs the candidates in turn, so that a busy moment hits all of them. Returns the least CPU time of each in
 * milliseconds, because other load can only add to it.
 */
function sideBySide(candidates: readonly (() => number)[], expected: number): number[] {
  const samples = candidates.map((): number[] => []);
  for (let round = 0; round < rounds + 2; round += 1) {
    candidates.forEach((candidate, i) => {
      globalThis.gc?.();
      const start = process.cpuUsage();
      const count = candidate();
      const { user, system } = process.cpuUsage(start);
      if (count !== expected) throw new Error(`counted ${count} instead of ${expected}`);
      if (round >= 2) samples[i]?.push((user + system) / 1000);
    });
  }
  return samples.map((times) => Math.min(...times));
}

/** What the program writes in a long streamed turn: mostly deltas, some whole messages. */
function capture(frames: number): { bytes: Buffer; frames: number } {
  const lines: string[] = [];
  const ids = { session_id: 'b2e97378-6913-49d2-8e4d-60bc82e887e1', parent_tool_use_id: null };
  for (let i = 0; i < frames; i += 1) {
    const uuid = `e2033232-3b42-4439-a7c6-${String(i).padStart(12, '0')}`;
    const text = i % 7 === 0 ? ' “größer”' : ' the dough rests';
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
    const whole = {
      id: `msg_${i}`,
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: text.repeat(100) }],
    };
    if (i % 50 === 49) lines.push(JSON.stringify({ type: 'assistant', message: whole, ...ids, uuid }));
    else lines.push(JSON.stringify({ type: 'stream_event', event: delta, ...ids, uuid }));
  }
  return { bytes: Buffer.from(`${lines.join('\n')}\n`), frames };
}

function cut(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK));
  return chunks;
}
