// Writes transcripts in the program's format, as many and as large as a daily user has.
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Library {
  readonly files: number;
  /** How many of them have 50 MB; the others share the rest. */
  readonly large: number;
  readonly totalBytes: number;
}

const LARGE = 50 * 1024 * 1024;
const PROJECTS = 20;

export function makeLibrary(root: string, library: Library): void {
  const small = (library.totalBytes - library.large * LARGE) / (library.files - library.large);
  const largeEvery = Math.floor(library.files / library.large);
  for (let i = 0; i < library.files; i += 1) {
    const folder = join(root, `-home-ada-project-${i % PROJECTS}`);
    mkdirSync(folder, { recursive: true });
    const isLarge = i % largeEvery === largeEvery - 1;
    // Between half and one and a half times the mean.
    const size = isLarge ? LARGE : small * (0.5 + (i % 101) / 100);
    makeTranscript(folder, i, size);
  }
}

/** Writes one transcript and returns its path. */
export function makeTranscript(folder: string, number: number, size: number): string {
  const id = uuid(`session ${number}`);
  const file = join(folder, `${id}.jsonl`);
  const fd = openSync(file, 'w');
  let written = 0;
  let block: string[] = [];
  const flush = (): void => {
    written += writeSync(fd, block.join(''));
    block = [];
  };
  for (const line of startLines(number, id)) block.push(`${line}\n`);
  flush();
  for (let turn = 0; written < size; turn += 1) {
    for (const line of turnLines(number, turn, id)) block.push(`${line}\n`);
    flush();
  }
  for (const line of endLines(number, id)) block.push(`${line}\n`);
  flush();
  closeSync(fd);
  if (number % 16 === 15) {
    mkdirSync(join(folder, id));
    writeFileSync(
      join(folder, id, 'custom-title.json'),
      JSON.stringify({ customTitle: `Renamed ${number}` }),
    );
  }
  const time = 1_760_000_000 + ((number * 7919) % 1_000_003);
  utimesSync(file, time, time);
  return file;
}

function* startLines(number: number, sessionId: string): Generator<string> {
  if (number % 4 === 2)
    yield json({ type: 'summary', summary: `Summary of session ${number}`, leafUuid: uuid('leaf') });
  yield json({ type: 'queue-operation', operation: 'enqueue', timestamp: stamp(number), sessionId });
  yield json({
    ...chat(number, 0, sessionId),
    type: 'user',
    message: { role: 'user', content: `Prompt ${number}: ${words(20)}` },
  });
  yield json({
    ...chat(number, 1, sessionId),
    attachment: { type: 'skill_listing', content: words(2000) },
    type: 'attachment',
  });
  yield json({
    type: 'api-request-shape',
    sessionId,
    shape: { system: [{ type: 'text', text: words(5000) }] },
  });
}

function* turnLines(number: number, turn: number, sessionId: string): Generator<string> {
  const at = turn * 5 + 2;
  const tool = {
    type: 'tool_use',
    id: `toolu_${at}`,
    name: 'Read',
    input: { file_path: `/home/ada/${turn}.ts` },
  };
  const result = {
    type: 'tool_result',
    tool_use_id: `toolu_${at}`,
    content: `1\tconst x = "${words(300)}";\n`,
  };
  yield json({
    ...chat(number, at, sessionId),
    type: 'user',
    message: { role: 'user', content: `More ${turn}: ${words(12)}` },
  });
  yield json({
    ...chat(number, at + 1, sessionId),
    message: answer([{ type: 'text', text: words(60) }, tool]),
    type: 'assistant',
  });
  yield json({
    ...chat(number, at + 2, sessionId),
    type: 'user',
    message: { role: 'user', content: [result] },
  });
  yield json({
    ...chat(number, at + 3, sessionId),
    message: answer([{ type: 'text', text: words(200) }]),
    type: 'assistant',
  });
  yield json({ type: 'last-prompt', lastPrompt: `More ${turn}`, sessionId });
  // Somebody renamed the session in the middle. A quick look misses this line, but the file next to the transcript has
  // the title.
  if (number % 16 === 15 && turn === 5)
    yield json({ type: 'custom-title', customTitle: `Renamed ${number}`, sessionId });
}

function* endLines(number: number, sessionId: string): Generator<string> {
  if (number % 4 === 0) yield json({ type: 'custom-title', customTitle: `Custom ${number}`, sessionId });
  if (number % 4 <= 1) yield json({ type: 'ai-title', aiTitle: `Generated ${number}`, sessionId });
  yield json({ type: 'mode', mode: 'normal', sessionId });
  yield json({ type: 'cost-state', sessionId, totalCostUSD: number / 100, totalDuration: 427 });
}

function chat(number: number, at: number, sessionId: string): object {
  const fields = {
    cwd: `/home/ada/project-${number % PROJECTS}`,
    gitBranch: 'main',
    version: '2.1.325',
    sessionId,
  };
  return {
    parentUuid: uuid(`${number}/${at - 1}`),
    isSidechain: false,
    uuid: uuid(`${number}/${at}`),
    timestamp: stamp(number + at),
    ...fields,
  };
}

function answer(content: readonly object[]): object {
  const usage = { input_tokens: 12, output_tokens: 80, cache_read_input_tokens: 12_000 };
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content,
    stop_reason: null,
    usage,
  };
}

const sentence = 'The dough “rests” for an hour,\nthen it is shaped — as in \\"the book\\" — and baked. ';

function words(count: number): string {
  return sentence.repeat(Math.ceil(count / 15));
}

function stamp(number: number): string {
  return new Date(1_750_000_000_000 + number * 1000).toISOString();
}

function uuid(seed: string): string {
  const hex = createHash('md5').update(seed).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function json(value: object): string {
  return JSON.stringify(value);
}
