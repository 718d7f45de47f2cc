import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topLevelString, topLevelType } from '../../src/index.ts';

const typeIn = (line: string) => topLevelType(Buffer.from(line));

describe('the top-level scanner', () => {
  it.each([
    ['{"type":"user"}', 'user'],
    ['{"message":{"type":"message","content":[{"type":"text"}]},"type":"assistant"}', 'assistant'],
    [' {\t"a" : [1,{"type":"no"}] ,\r "type" : "result" } ', 'result'],
    ['{"text":"\\",\\"type\\":\\"no\\"","type":"yes"}', 'yes'],
    ['{"text":"ends in a backslash \\\\","type":"yes"}', 'yes'],
    ['{"ty\\u0070e":"escaped key"}', 'escaped key'],
    ['{"type":"\\u0075ser 🙂"}', 'user 🙂'],
    ['{"type":"cut off later","big":"', 'cut off later'],
  ])('finds the type in %s', (line, type) => {
    expect(typeIn(line)).toBe(type);
  });

  it.each([
    '',
    '{}',
    '[]',
    '{"type":7}',
    '{"type":null}',
    '{"a":{"type":"inner"}}',
    '["type","x"]',
    '{"type"',
    '{"type":"torn',
    'null',
  ])('finds none in %s', (line) => {
    expect(typeIn(line)).toBeUndefined();
  });

  it('finds other fields too, in any order', () => {
    const line = Buffer.from('{"uuid":"u","deep":{"session_id":"no"},"type":"t","session_id":"s"}');
    const found = ['type', 'uuid', 'session_id', 'missing'].map((key) => topLevelString(line, key));
    expect(found).toEqual(['t', 'u', 's', undefined]);
  });

  it('agrees with JSON.parse on any object', () => {
    const key = fc.oneof(fc.constantFrom('type', 'uuid'), fc.string({ unit: 'binary' }));
    const json = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (object, indent) => {
        const line = Buffer.from(JSON.stringify(object, null, indent));
        const own = (name: string) => {
          const value = Object.hasOwn(object, name) ? object[name] : undefined;
          return typeof value === 'string' ? value : undefined;
        };
        for (const key of ['type', 'uuid']) expect(topLevelString(line, key)).toBe(own(key));
      }),
      { numRuns: 3000 },
    );
  });

  it('stays between two offsets', () => {
    const block = Buffer.from('{"a":1}\n{"type":"mine"}\n{"type":"next"}');
    expect(topLevelType(block, 0, 7)).toBeUndefined();
    expect(topLevelType(block, 8, 23)).toBe('mine');
    for (let end = 8; end < 22; end += 1) expect(topLevelType(block, 8, end)).toBeUndefined();
  });

  it('skips long strings full of quotes and backslashes', () => {
    for (const filler of ['\\', '"', '\\"', 'a"', `${'b'.repeat(100)}\\`]) {
      const line = JSON.stringify({ snapshot: filler.repeat(50_000), type: 'api-request' });
      expect(typeIn(line)).toBe('api-request');
    }
  });
});
