import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LogFields, silentLogger } from '../../../../src/domain/logger.ts';
import { openMessageLog } from '../../../../src/doors/bots/core/message-log.ts';
import { freshFolder } from '../harness.ts';

const entry = (text: string) => ({
  time: '2026-02-08T12:00:00.000Z',
  channel: 'telegram',
  conversation: 'telegram:1',
  direction: 'inbound' as const,
  senderId: '1',
  text,
});

describe('the message log', () => {
  it('is rotated by size, keeps the configured number of files, and loses none of their lines [channels.transcript-log.rotation]', async () => {
    const folder = freshFolder();
    const path = join(folder, 'log.jsonl');
    const log = openMessageLog({ enabled: true, path, maxBytes: 2_000, maxFiles: 3 }, silentLogger);
    for (let index = 0; index < 60; index += 1) log.add(entry(`line ${index}`));
    await log.flush();
    expect(readdirSync(folder).toSorted()).toEqual(['log.jsonl', 'log.jsonl.1', 'log.jsonl.2']);
    const files = ['log.jsonl.2', 'log.jsonl.1', 'log.jsonl'].map((name) => join(folder, name));
    for (const file of files) {
      expect(statSync(file).size).toBeLessThanOrEqual(2_000);
      expect(statSync(file).mode & 0o077).toBe(0);
    }
    const texts = files
      .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
      .map((line) => (JSON.parse(line) as { text: string }).text);
    expect(texts.at(-1)).toBe('line 59');
    const first = Number(texts[0]?.split(' ')[1]);
    expect(texts).toEqual(Array.from({ length: 60 - first }, (_, index) => `line ${first + index}`));
  });

  it('writes a line that is larger than the limit into a file of its own', async () => {
    const folder = freshFolder();
    const path = join(folder, 'log.jsonl');
    const log = openMessageLog({ enabled: true, path, maxBytes: 1_024, maxFiles: 1 }, silentLogger);
    log.add(entry('small'));
    log.add(entry('x'.repeat(5_000)));
    await log.flush();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
  });

  it('reports how many lines it lost, because too many waited or the disk failed', async () => {
    const folder = freshFolder();
    const lost: unknown[] = [];
    const logger = { ...silentLogger, error: ({ dropped }: LogFields) => void lost.push(dropped) };
    const settings = { enabled: true, maxBytes: 1_000_000, maxFiles: 1 };
    const busy = openMessageLog({ ...settings, path: join(folder, 'log.jsonl') }, logger);
    for (let index = 0; index < 1_002; index += 1) busy.add(entry(`line ${index}`));
    await busy.flush();
    expect(lost).toEqual([2]);
    const broken = openMessageLog({ ...settings, path: join(folder, 'log.jsonl', 'below') }, logger);
    for (let index = 0; index < 3; index += 1) broken.add(entry(`line ${index}`));
    await broken.flush();
    expect(lost).toEqual([2, 3]);
  });

  it('is off by default', async () => {
    const path = join(freshFolder(), 'log.jsonl');
    const log = openMessageLog({ enabled: false, path, maxBytes: 1_024, maxFiles: 1 }, silentLogger);
    log.add(entry('secret'));
    await log.flush();
    expect(existsSync(path)).toBe(false);
  });
});
