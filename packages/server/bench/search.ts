// How long a search through the messages of Claude Code sessions takes, with 2,000 sessions and 1 GB of transcripts: while
// they are being indexed, afterwards, and after a restart.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile, report } from '../../../bench/report.ts';
import { delayGauge } from './parts/gauges.ts';
import { get, nowhere, type Running, residentKb, startServer } from './parts/processes.ts';
import { commonWord, makeSpokenSessions, manyWords, rareWord } from './parts/spoken-sessions.ts';

const sessions = 2_000;
const bytes = 1024 ** 3 / sessions;
const rounds = 30;
/** No request reaches the model. */
const queries = {
  'a word that is in most messages': commonWord,
  'two such words': `${commonWord} w1rd`,
  'the start of many words': manyWords,
  'a frequent and a rare word': `${commonWord} ${rareWord}`,
  'a rare word while it is typed': rareWord.slice(0, 8),
  'a word that nobody uses': 'zzyzx',
};

const home = mkdtempSync(join(tmpdir(), 'parley-search-'));
try {
  makeSpokenSessions(home, sessions, bytes);
  const gauge = delayGauge(home);
  const start = () => startServer(nowhere, { home, nodeFlags: gauge.flags });
  const server = await start();
  await get(server.url, '/api/claude/sessions?limit=20');
  // Discards what the first reading of the list cost.
  await gauge.read(server.pid);
  const began = performance.now();
  const meanwhile: number[] = [];
  for (;;) {
    const { ms, isIndexing } = await search(server, commonWord);
    if (!isIndexing) break;
    meanwhile.push(ms);
    await pause(250);
  }
  const indexedMs = performance.now() - began;
  const blockedMs = await gauge.read(server.pid);
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [what, query] of Object.entries(queries))
      (times[what] ??= []).push((await search(server, query)).ms);
  const blockedBySearchMs = await gauge.read(server.pid);
  const memory = residentKb(server.pid) / 1024;
  await server.close();

  const again = await start();
  const first = await search(again, commonWord);
  const second = await search(again, commonWord);
  await again.close();

  report('search', [
    { what: 'indexing 1 GB in the background', value: indexedMs / 1_000, unit: 's' },
    {
      what: 'size of the index',
      value: statSync(join(home, 'transcript-words.db')).size / 1e6,
      unit: 'MB',
    },
    { what: 'longest block while indexing', value: blockedMs, unit: 'ms', goal: { atMost: 50 } },
    { what: 'search while indexing, p95', value: percentile(meanwhile, 0.95), unit: 'ms' },
    ...Object.entries(times).map(([what, samples]) => ({
      what: `search: ${what}, p95`,
      value: percentile(samples, 0.95),
      unit: 'ms',
      goal: { atMost: 50 },
    })),
    { what: 'longest block by a search', value: blockedBySearchMs, unit: 'ms', goal: { atMost: 50 } },
    { what: 'the first search after a restart', value: first.ms, unit: 'ms' },
    { what: 'the second one', value: second.ms, unit: 'ms', goal: { atMost: 50 } },
    { what: 'memory', value: memory, unit: 'MB' },
  ]);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function search(server: Running, words: string): Promise<{ ms: number; isIndexing: boolean }> {
  const begin = performance.now();
  const path = `/api/claude/sessions?limit=20&full_text=true&q=${encodeURIComponent(words)}`;
  const { indexing } = await get<{ indexing?: boolean }>(server.url, path);
  return { ms: performance.now() - begin, isIndexing: indexing === true };
}
