// What the SQLite store promises across processes: nothing acknowledged is lost, however a process ends.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleFile } from '../../../../scripts/bundle.mjs';
import type { Store } from '../../src/domain/store.ts';
import { openConnection } from '../../src/stores/sqlite/connection.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import type { Acknowledged } from './children/endless-writer.ts';
import type { FreshTurns } from './children/racing-admitter.ts';
import { allMessages, deltas } from './fixtures.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-processes-'));
  file = join(folder, 'parley.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a database file shared by processes', () => {
  it('has everything that was acknowledged before its process was killed, repeatedly', async () => {
    const writer = await bundled('endless-writer');
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < 6; round += 1) {
      acknowledged.push(...(await writeUntilKilled(writer, 1 + Math.floor(Math.random() * 400))));
    }

    expect(await integrity()).toBe('ok');
    const store = await openSqliteStore({ file });
    try {
      const allMissing = async () => {
        const missing = await Promise.all(acknowledged.map((write) => isMissing(store, write)));
        return acknowledged.filter((_, index) => missing[index]);
      };
      // A search doesn't wait long for the index, so on a slow machine only a later one finds everything.
      await expect.poll(allMissing).toEqual([]);
    } finally {
      await store.close();
    }
  });

  it('admits each key once and loses nothing when three processes write at once', async () => {
    const admitter = await bundled('racing-admitter');
    const keys = 60;
    const outputs = await Promise.all(
      Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, [admitter, file, `${keys}`])),
    );
    const fresh = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as FreshTurns);

    expect(await integrity()).toBe('ok');
    const store = await openSqliteStore({ file });
    try {
      expect(new Set(fresh).size).toBe(keys);
      expect(fresh).toHaveLength(keys);
      expect((await store.unfinishedTurns()).map((turn) => turn.id).sort()).toEqual(fresh.toSorted());
      for (const turn of await store.unfinishedTurns()) {
        expect(await store.eventsAfter(turn.sessionId, 0, 100)).toEqual(deltas(turn.sessionId, 1, 20));
      }
    } finally {
      await store.close();
    }
  });
});

function bundled(child: string): Promise<string> {
  return bundleFile(fileURLToPath(new URL(`./children/${child}.ts`, import.meta.url)));
}

/** Kills the process after this many acknowledged writes, and returns all that it printed. */
async function writeUntilKilled(writer: string, afterWrites: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === afterWrites) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  if (signal !== 'SIGKILL') throw new Error('The writer ended before it was killed.');
  return lines.map((line) => JSON.parse(line) as Acknowledged);
}

async function isMissing(store: Store, write: Acknowledged): Promise<boolean> {
  switch (write.kind) {
    case 'turn':
      return (await store.getTurn(write.id))?.sessionId !== write.sessionId;
    case 'completed':
      return (await store.getTurn(write.id))?.status !== 'completed';
    case 'message': {
      const [hit] = await store.search('anna', `answer${write.count}`, 1000);
      return hit === undefined || (await allMessages(store, write.sessionId)).length < write.count;
    }
    case 'events': {
      const kept = await store.eventsAfter(write.sessionId, 0, write.lastSeq);
      return JSON.stringify(kept.map(({ seq }) => seq)) !== JSON.stringify(upTo(write.lastSeq));
    }
    default:
      return write satisfies never;
  }
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

async function integrity(): Promise<unknown> {
  const connection = openConnection({ file });
  try {
    const [row] = connection.prepare('PRAGMA integrity_check').all([]) as [{ integrity_check: string }];
    return row.integrity_check;
  } finally {
    await connection.close();
  }
}
