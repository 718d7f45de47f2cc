// The full-text index of transcripts, with real files, real threads and a real index.
import { appendFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionIndex } from '@parley/claude-cli';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/domain/logger.ts';
import { PassageReader } from '../../../src/engines/claude-code/sessions/text/passage-reader.ts';
import { TextSearch, textOf } from '../../../src/engines/claude-code/sessions/text/text-search.ts';
import {
  type TextLimits,
  TranscriptIndexer,
} from '../../../src/engines/claude-code/sessions/text/transcript-indexer.ts';
import { type OpenTranscriptText, openTranscriptText } from '../../../src/stores/sqlite/transcript-text.ts';

let root: string;
let text: OpenTranscriptText;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-words-'));
  text = openTranscriptText(join(root, 'words.db'));
});

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await text.close();
  await rm(root, { recursive: true });
});

let minute = 0;
const said = (content: unknown, more: object = {}) => {
  minute += 1;
  return `${JSON.stringify({
    type: 'user',
    uuid: crypto.randomUUID(),
    timestamp: new Date(Date.UTC(2026, 1, 1, 0, minute)).toISOString(),
    message: { role: 'user', content },
    ...more,
  })}\n`;
};

async function transcript(home: string, ...lines: readonly string[]): Promise<{ id: string; file: string }> {
  const folder = join(root, home, '-project');
  await mkdir(folder, { recursive: true });
  const id = crypto.randomUUID();
  const file = join(folder, `${id}.jsonl`);
  await writeFile(file, lines.join(''));
  return { id, file };
}

/** As the server opens a home; a second call is a restart. */
function open(home: string, limits?: TextLimits) {
  const projects = join(root, home);
  const index = new SessionIndex({ root: projects });
  const read: [string, number][] = [];
  const reader = new PassageReader();
  const counting = {
    read: (file: string, mark: Parameters<PassageReader['read']>[1]) => {
      read.push([file, mark.next]);
      return reader.read(file, mark);
    },
  } as PassageReader;
  const indexer = new TranscriptIndexer({
    home: projects,
    files: async () => {
      await index.refresh();
      return index.sizes();
    },
    text,
    reader: counting,
    logger: silentLogger,
    ...(limits && { limits }),
  });
  const close = async () => {
    await indexer.close();
    await reader.close();
    await index.close();
  };
  closers.push(close);
  const search = new TextSearch(projects, indexer, text);
  const find = async (words: string): Promise<readonly string[]> => {
    const { matches, isComplete } = await search.find(words);
    return isComplete ? [...matches.keys()] : find(words);
  };
  return { search, indexer, read, find, close };
}

describe('the index of transcripts', () => {
  it('finds what people and the model said, the newest first, and nothing else [app.search.transcripts.messages]', async () => {
    const older = await transcript('ada', said('A zebra'), said('The quagga was a zebra of the Karoo'));
    const newer = await transcript(
      'ada',
      said('Tell me'),
      said([{ type: 'text', text: 'A Quägga!' }], { type: 'assistant' }),
    );
    await transcript(
      'ada',
      said([{ type: 'tool_result', content: 'quagga' }]),
      said('quagga', { isMeta: true }),
      said('quagga', { isSidechain: true }),
      '{"type":"user","message":{"content":"quagga"', // still being written
    );
    const { search, find } = open('ada');
    expect(await find('quagga')).toEqual([newer.id, older.id]);
    expect(await find('QUAG')).toEqual([newer.id, older.id]);
    expect(await find('karoo quag')).toEqual([older.id]);
    expect(await find('agga')).toEqual([]);
    expect(await find('" OR *')).toEqual([]);
    const { matches, words } = await search.find('zebra');
    const match = matches.get(older.id);
    expect(match && (await textOf(match, words))).toMatchObject({
      role: 'user',
      snippet: 'The quagga was a zebra of the Karoo',
    });
  });

  it('finds nothing of other homes, and follows no links [app.search.transcripts.own]', async () => {
    const mine = await transcript('ada', said('My okapi'));
    const hers = await transcript('bea', said('Her okapi'));
    await symlink(hers.file, join(root, 'ada', '-project', `${crypto.randomUUID()}.jsonl`));
    expect(await open('ada').find('okapi')).toEqual([mine.id]);
    expect(await open('bea').find('okapi')).toEqual([hers.id]);
  });

  it('continues after a restart, and reads only what was added [app.search.transcripts.resumes]', async () => {
    const first = await transcript('ada', said('One okapi'));
    const second = await transcript('ada', said('Two okapis'));
    const before = open('ada');
    expect(await before.find('okap')).toHaveLength(2);
    await before.close();
    const after = open('ada');
    expect(await after.find('okap')).toHaveLength(2);
    expect(after.read).toEqual([]);
    const size = Buffer.byteLength(said('One okapi'));
    await appendFile(first.file, said('Three gnus'));
    expect(await after.find('gnus')).toEqual([first.id]);
    expect(after.read).toEqual([[first.file, size]]);
    // A line that is complete only later.
    const line = said('Four ibexes');
    await appendFile(second.file, line.slice(0, 30));
    expect(await after.find('ibexes')).toEqual([]);
    await appendFile(second.file, line.slice(30));
    expect(await after.find('ibexes')).toEqual([second.id]);
  });

  it('forgets what was deleted or rewritten [app.search.transcripts.forgets]', async () => {
    const deleted = await transcript('ada', said('An okapi'));
    const vanished = await transcript('ada', said('An okapi'));
    const rewritten = await transcript('ada', said('An okapi'), said('and a gnu'));
    const { find, indexer } = open('ada');
    expect(await find('okapi')).toHaveLength(3);
    await rm(deleted.file);
    await indexer.forget(deleted.file);
    await rm(vanished.file);
    expect(await find('okapi')).toEqual([rewritten.id]);
    expect(await text.marks(join(root, 'ada'))).toHaveLength(1);
    await truncate(rewritten.file, 0);
    await appendFile(
      rewritten.file,
      said('Only an ibex, which is a goat with long horns, and nothing of it is new'),
    );
    expect(await find('ibex')).toEqual([rewritten.id]);
    expect([await find('okapi'), await find('gnu')]).toEqual([[], []]);
  });

  it('is bounded, for each session and in total [app.search.transcripts.bounded]', async () => {
    const limits = { perSession: 100, perHome: 250 };
    const long = await transcript('ada', said(`gnu ${'x'.repeat(80)}`), said('okapi '.repeat(10)));
    const { find } = open('ada', limits);
    expect(await find('gnu')).toEqual([long.id]);
    expect(await find('okapi')).toEqual([]);
    const others = [];
    for (const name of ['ibex', 'kudu', 'eland'])
      others.push(await transcript('ada', said(`${name} ${'y'.repeat(90)}`)));
    await expect.poll(() => find('eland')).toEqual([others[2]?.id]);
    const marks = await text.marks(join(root, 'ada'));
    expect(marks.reduce((sum, { chars }) => sum + chars, 0)).toBeLessThanOrEqual(350);
    expect(await find('gnu')).toEqual([]);
  });

  it('is rebuilt if its file is damaged', async () => {
    const { id } = await transcript('ada', said('One okapi'));
    await writeFile(join(root, 'words.db'), 'not a database, but long enough to look like one '.repeat(100));
    expect(await open('ada').find('okapi')).toEqual([id]);
  });
});
