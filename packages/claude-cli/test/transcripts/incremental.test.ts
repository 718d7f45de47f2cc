// What the index knows of a transcript that is written piece by piece while it watches.
import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Random, randomChunks, seededRandom } from '../../../../fuzz/random.ts';
import { SessionIndex } from '../../src/index.ts';
import {
  assistantLine,
  line,
  snapshotLine,
  temporaryFolder,
  titleLine,
  userLine,
  writeTranscript,
} from './sample-lines.ts';

function randomLine(random: Random): string {
  const number = random.int(1000);
  switch (random.int(14)) {
    case 0:
      return titleLine(`Title ${number}`);
    case 1:
      return line('ai-title', { aiTitle: `Made up ${number}` });
    case 2:
      return line('summary', { summary: `Summary ${number}` });
    case 3:
      // Not as the program writes it today; only a reading of every line finds it.
      return JSON.stringify({
        nested: { type: 'user' },
        customTitle: `Late type ${number}`,
        type: 'custom-title',
      });
    case 4:
      return line('cost-state', { totalCostUSD: number });
    case 5:
      return line('last-prompt', { lastPrompt: `Last ${number}` });
    case 6:
      return random.pick([
        '{"type":"user","mess',
        '\0\0\0',
        'x',
        '',
        `${titleLine('a')}${titleLine(`Fused ${number}`)}`,
      ]);
    case 7:
      return snapshotLine(random.pick([500, 9_000, 90_000]));
    case 8:
      return userLine('caveat', { isMeta: true, uuid: `meta-${number}` });
    case 9:
      return userLine(`Größe ${number} 🙂 ${'z'.repeat(random.int(3000))}`, {
        gitBranch: `branch-${number}`,
      });
    default:
      return assistantLine('y'.repeat(random.int(5000)), { gitBranch: `branch-${number}` });
  }
}

async function listed(index: SessionIndex): Promise<unknown> {
  const [entry] = (await index.list()).sessions;
  if (!entry) return undefined;
  const { updatedAt: _, ...rest } = entry;
  return rest;
}

/** Writes the lines in pieces that may end anywhere, and reads the file after each. */
async function grown(root: string, lines: readonly string[], random: Random): Promise<SessionIndex> {
  const file = await writeTranscript(root, []);
  const index = new SessionIndex({ root });
  await index.list();
  for (const chunk of randomChunks(Buffer.from(`${lines.join('\n')}\n`), random, 12)) {
    appendFileSync(file, chunk);
    await index.refresh();
  }
  return index;
}

describe('an entry of the index', () => {
  it('is the same whether the file is read at once or in pieces as it grows', async () => {
    const random = seededRandom(11);
    for (let round = 0; round < 40; round += 1) {
      const root = await temporaryFolder();
      const every = Array.from({ length: 1 + random.int(60) }, () => randomLine(random));
      // Only as much as a reading at once looks at, and as the program writes it.
      let size = 0;
      const lines = every.filter((text) => {
        if (text.includes('Late type') || size + text.length > 30_000) return false;
        size += text.length + 1;
        return true;
      });
      // The branch is looked for only in the last lines.
      lines.push(assistantLine('done', { gitBranch: `branch-${round}` }));
      const growing = await grown(root, lines, random);
      const atOnce = new SessionIndex({ root });
      expect(await listed(growing)).toEqual(await listed(atOnce));
      await growing.close();
      await atOnce.close();
    }
  });

  it('has the title of a full reading if it saw the file grow', async () => {
    const random = seededRandom(12);
    for (let round = 0; round < 40; round += 1) {
      const lines = [
        userLine('first prompt'),
        ...Array.from({ length: random.int(120) }, () => randomLine(random)),
      ];
      const index = await grown(await temporaryFolder(), lines, random);
      expect((await index.list()).sessions[0]?.title).toBe(titleByFullReading(lines));
      await index.close();
    }
  });
});

function titleByFullReading(lines: readonly string[]): string {
  const last: Record<string, string> = {};
  for (const text of lines.flatMap((fused) => fused.replaceAll('}{', '}\n{').split('\n'))) {
    try {
      const { type, customTitle, aiTitle, summary } = JSON.parse(text) as Record<string, string>;
      if (type === 'custom-title') last['custom'] = customTitle ?? '';
      if (type === 'ai-title') last['generated'] = aiTitle ?? '';
      if (type === 'summary') last['summary'] = summary ?? '';
    } catch {
      // A damaged line, which the index skips too.
    }
  }
  return last['custom'] ?? last['generated'] ?? last['summary'] ?? 'first prompt';
}
