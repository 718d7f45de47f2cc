// The log: what a line contains, and what it never contains.
import { noUsage } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import type { Logger } from '../../src/domain/logger.ts';
import type { TurnRecord } from '../../src/domain/turn-observer.ts';
import { createLogger, type LogOptions } from '../../src/logging/logger.ts';
import { turnLines } from '../../src/logging/turn-lines.ts';

const planted = 'planted "secret" \\ value';

function logTo(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const logger: Logger = createLogger({ level: 'info', write: (line) => lines.push(line), ...options });
  return { lines, logger };
}

const record: TurnRecord = {
  person: 'petra',
  sessionId: '7f1f3a1e-5a8e-4f4e-9a55-2f7f3a1e5a8e',
  turnId: '0b7f3a1e-5a8e-4f4e-9a55-2f7f3a1e5a8e',
  door: 'notes',
  engine: 'messages-api',
  outcome: 'completed',
  usage: { ...noUsage, inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, costUsd: 0.0123 },
  model: 'claude-test',
  durationMs: 1234.567,
  firstTokenMs: 45.6,
};

describe('the log', () => {
  it('writes one JSON object per line', () => {
    const { lines, logger } = logTo();
    logger.child({ door: 'http' }).info({ port: 1 }, 'a sentence\nof two lines');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      door: 'http',
      port: 1,
      msg: 'a sentence\nof two lines',
    });
  });

  it('skips lines below its level', () => {
    const { lines, logger } = logTo({ level: 'warn' });
    logger.info({}, 'no');
    logger.debug({}, 'no');
    logger.warn({}, 'yes');
    expect(lines).toHaveLength(1);
  });

  it.each([false, true])('removes secrets by name and by value (pretty: %s)', (pretty) => {
    const { lines, logger } = logTo({ pretty, secrets: [planted] });
    logger.info({ authorization: 'other-secret', req: { headers: { cookie: 'other-secret' } } }, 'by name');
    logger.info(
      { body: { apiKey: 'other-secret', password: 'other-secret', token: 'other-secret' } },
      'by name',
    );
    logger.info({ headers: { 'x-api-key': 'other-secret', 'set-cookie': 'other-secret' } }, 'by name');
    logger.warn({ deep: { deeper: { deepest: [planted] } } }, `by value ${planted}`);
    logger.error({ err: new Error(`refused: ${planted}`) }, 'in an error');
    logger.info({ key: new Secret(planted) }, 'wrapped');
    const text = lines.join('');
    expect(text).not.toContain('other-secret');
    expect(text).not.toContain(planted);
    expect(text).not.toContain(JSON.stringify(planted).slice(1, -1));
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(10);
  });

  it("is short at a terminal, and doesn't let a message control the terminal", () => {
    const { lines, logger } = logTo({ pretty: true });
    logger.info({ person: 'petra', count: 3, text: 'two words' }, 'up \u001b[31mand\u0007 running');
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d info {2}up {2}\[31mand {2}running person=petra count=3 text="two words"\n$/,
    );
    logger.error({ err: new Error('broken \u001b[2J') }, 'failed');
    expect(lines[1]).toMatch(/^\S+ error failed\n {2}Error: broken {2}\[2J\n {4}at /);
    expect(lines[1]).not.toContain('\u001b');
    logger.warn({ tool: 'look\u009b2J\u001b[2J', 'a\u009bb': 1 }, 'odd');
    expect(lines[2]?.trimEnd()).not.toMatch(/\p{Cc}/u);
  });
});

describe('the line of a turn', () => {
  it('says who, where, how much, how long and how it ended', () => {
    const { lines, logger } = logTo();
    turnLines(logger).turnEnded(record);
    const { time: _, ...line } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(line).toEqual({
      level: 'info',
      person: 'petra',
      session: record.sessionId,
      turn: record.turnId,
      door: 'notes',
      engine: 'messages-api',
      tokens: 115,
      costUsd: 0.0123,
      durationMs: 1235,
      firstTokenMs: 46,
      outcome: 'completed',
      msg: 'turn',
    });
  });

  it('says why the turn failed', () => {
    const { lines, logger } = logTo();
    const error = { code: 'unavailable', message: 'The model is out.' } as const;
    const usage = { ...noUsage, costUsd: 0.1 + 0.2 };
    turnLines(logger).turnEnded({ ...record, usage, outcome: 'failed', error });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      outcome: 'failed',
      error: 'unavailable',
      reason: 'The model is out.',
      costUsd: 0.3,
    });
  });

  it('is a warning if the turn failed', () => {
    const { lines, logger } = logTo({ level: 'warn' });
    turnLines(logger).turnEnded({ ...record, outcome: 'interrupted' });
    turnLines(logger).turnEnded({ ...record, outcome: 'failed' });
    expect(lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(['failed']);
  });
});
