import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../../../src/domain/logger.ts';
import { silentLogger } from '../../../../src/domain/logger.ts';
import { openSessionMap } from '../../../../src/doors/bots/core/session-map.ts';
import { freshFolder } from '../harness.ts';

const clock = { now: () => Date.parse('2026-02-08T12:00:00.000Z') };
const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

function watchedLogger() {
  const errors: LogFields[] = [];
  return { errors, logger: { ...silentLogger, error: (fields: LogFields) => void errors.push(fields) } };
}

describe('the session map', () => {
  it('is a JSON object from channel and chat to session and time, without message text [channels.store.format] [channels.store.no-content]', async () => {
    const file = join(freshFolder(), 'data', 'sessions.json');
    const map = await openSessionMap(file, clock, silentLogger);
    await map.set('telegram:1', one);
    await map.set('discord:2:3', two);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      'telegram:1': { sessionId: one, updatedAt: '2026-02-08T12:00:00.000Z' },
      'discord:2:3': { sessionId: two, updatedAt: '2026-02-08T12:00:00.000Z' },
    });
    expect(statSync(file).mode & 0o077).toBe(0);
    await map.move('discord:2:3', 'discord:2:4');
    expect([await map.get('discord:2:3'), await map.get('discord:2:4')]).toEqual([undefined, two]);
  });

  it('is read at startup [channels.store.load-at-start]', async () => {
    const file = join(freshFolder(), 'sessions.json');
    await (await openSessionMap(file, clock, silentLogger)).set('telegram:1', one);
    const again = await openSessionMap(file, clock, silentLogger);
    expect(await again.get('telegram:1')).toBe(one);
    await again.remove('telegram:1');
    expect(await (await openSessionMap(file, clock, silentLogger)).get('telegram:1')).toBeUndefined();
  });

  it('is complete at every moment while it is written [channels.store.atomic-write]', async () => {
    const folder = freshFolder();
    const file = join(folder, 'sessions.json');
    const map = await openSessionMap(file, clock, silentLogger);
    await map.set('telegram:0', one);
    const writes = Array.from({ length: 200 }, (_, index) => map.set(`telegram:${index}`, two));
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toContain('telegram:0');
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await Promise.all(writes);
    isDone = true;
    await reading;
    expect(readdirSync(folder)).toEqual(['sessions.json']);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toHaveLength(200);
  });

  it('continues in memory and logs when it cannot be written, and leaves the old file intact [channels.error.session-map] [channels.store.atomic-write]', async () => {
    const folder = freshFolder();
    const file = join(folder, 'sessions.json');
    const { errors, logger } = watchedLogger();
    const map = await openSessionMap(file, clock, logger);
    await map.set('telegram:1', one);
    const before = readFileSync(file, 'utf8');
    // An impossible file name, in place of a full disk.
    const blocked = await openSessionMap(join(file, 'below', 'a-file'), clock, logger);
    await blocked.set('telegram:2', two);
    expect(await blocked.get('telegram:2')).toBe(two);
    expect(errors.at(-1)).toMatchObject({ event: 'error' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('renames a file that it cannot read, and starts empty', async () => {
    const folder = freshFolder();
    const file = join(folder, 'sessions.json');
    writeFileSync(file, '{"telegram:1": {"sessionId"');
    const { errors, logger } = watchedLogger();
    const map = await openSessionMap(file, clock, logger);
    expect(errors).toHaveLength(1);
    expect(existsSync(`${file}.unreadable`)).toBe(true);
    await map.set('telegram:1', one);
    expect(await (await openSessionMap(file, clock, silentLogger)).get('telegram:1')).toBe(one);
  });

  it('keeps and logs entries that it cannot read [channels.store.keeps-entries]', async () => {
    const file = join(freshFolder(), 'sessions.json');
    const good = { sessionId: one, updatedAt: '2026-02-08T12:00:00+01:00', note: 'of another program' };
    const bad = { 'telegram:1': { sessionId: '../../etc' }, 'discord:3': 'a text' };
    writeFileSync(file, JSON.stringify({ ...bad, 'telegram:2': good }));
    const lines: LogFields[] = [];
    const logger = { ...silentLogger, warn: (fields: LogFields) => void lines.push(fields) };
    const map = await openSessionMap(file, clock, logger);
    expect([await map.get('telegram:1'), await map.get('telegram:2')]).toEqual([undefined, one]);
    expect(lines).toMatchObject([
      { conversation: 'telegram:1', entry: '{"sessionId":"../../etc"}' },
      { conversation: 'discord:3', entry: '"a text"' },
    ]);
    await map.set('telegram:9', two);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      ...bad,
      'telegram:2': good,
      'telegram:9': { sessionId: two, updatedAt: '2026-02-08T12:00:00.000Z' },
    });
    await map.set('telegram:1', two);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ 'telegram:1': { sessionId: two } });
  });
});
