// The pure rules: names of tools, their schemas, results of every kind.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallResult, toToolResult } from '../../../src/tools/mcp/result.ts';
import { nameTools } from '../../../src/tools/mcp/tool-names.ts';
import { fitSchema } from '../../../src/tools/mcp/tool-schema.ts';
import { jpeg, png } from '../../support/images.ts';

describe('the names of tools', () => {
  it('are always valid for the API, and unique', () => {
    const tool = fc.oneof(
      fc.constantFrom('read', 'read.file', 'read_file', 'x'.repeat(200)),
      fc.string({ minLength: 1 }),
    );
    const offers = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.uniqueArray(tool), { maxKeys: 4 });
    fc.assert(
      fc.property(offers, fc.array(fc.constantFrom('read', 'read_file', 'write')), (given, taken) => {
        const named = nameTools(new Map(Object.entries(given)), new Set(taken));
        const names = [...named.values()].flatMap((tools) => [...tools.values()]);
        expect(names).toHaveLength(Object.values(given).flat().length);
        expect(new Set([...names, ...taken]).size).toBe(names.length + new Set(taken).size);
        for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
      }),
    );
  });

  it('are the same whatever the order of the servers', () => {
    const one: [string, readonly string[]] = ['one', ['read', 'mine']];
    const two: [string, readonly string[]] = ['two', ['read', 'yours']];
    const there = nameTools(new Map([one, two]), new Set());
    const back = nameTools(new Map([two, one]), new Set());
    expect(there.get('one')).toEqual(back.get('one'));
    expect([...(there.get('two')?.values() ?? [])]).toEqual(['two__read', 'yours']);
  });
});

describe('the schemas of tools', () => {
  const text = { type: 'string' };
  const number = { type: 'number' };

  it('stay unchanged when the API accepts them', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [text, number] } }, required: ['a'] };
    expect(fitSchema(schema)).toEqual({ schema, alternatives: undefined });
  });

  it('become one object with the fields of all alternatives, requiring what all of them require', () => {
    const oneOf = [
      { properties: { kind: { const: 'a' }, a: text }, required: ['kind', 'a'] },
      { properties: { kind: { const: 'b' }, b: number }, required: ['kind', 'b'] },
    ];
    const allOf = [{ properties: { more: text }, required: ['more'] }];
    expect(fitSchema({ type: 'object', properties: { id: text }, required: ['id'], oneOf, allOf })).toEqual({
      schema: {
        type: 'object',
        properties: {
          id: text,
          more: text,
          kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
          a: text,
          b: number,
        },
        required: ['id', 'more', 'kind'],
      },
      alternatives: JSON.stringify({ oneOf, allOf }),
    });
  });

  it('never contain what the API refuses, whatever a server sends', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('anyOf', 'oneOf', 'allOf', 'properties', 'a b') }),
        (given) => {
          const fit = fitSchema(given);
          expect(Object.keys(fit?.schema ?? {})).not.toEqual(
            expect.arrayContaining([expect.stringMatching(/^(any|one|all)Of$/)]),
          );
          expect(Object.keys(fit?.schema['properties'] ?? {})).not.toContain('a b');
        },
      ),
    );
  });
});

describe('the results of tools', () => {
  it('become text or blocks, and what cannot be shown becomes a sentence', () => {
    const resource = (given: object) => ({ type: 'resource', resource: { uri: 'note://1', ...given } });
    const shown = (image: object) => [{ type: 'image', source: { type: 'base64', ...image } }];
    const photo = jpeg(640, 480);
    const cases: readonly (readonly [object, unknown])[] = [
      [{ type: 'text', text: 'hello' }, 'hello'],
      [{ type: 'image', mimeType: 'image/jpeg', data: photo.data }, shown(photo)],
      [{ type: 'image', mimeType: 'image/png', data: photo.data }, shown(photo)],
      [
        { type: 'image', mimeType: 'image/png', data: png(9_000, 10).data },
        expect.stringContaining('cannot be shown'),
      ],
      [{ type: 'image', mimeType: 'image/tiff', data: 'AAAA' }, expect.stringContaining('image/tiff')],
      [
        { type: 'image', mimeType: 'image/png', data: 'no base64!' },
        expect.stringContaining('cannot be shown'),
      ],
      [
        { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
        expect.stringMatching(/sound recording.*audio\/wav/),
      ],
      [resource({ text: 'inside' }), '[Resource note://1]\ninside'],
      [resource({ mimeType: 'image/jpeg', blob: photo.data }), shown(photo)],
      [resource({ mimeType: 'text/csv', blob: btoa('a,b') }), '[Resource note://1]\na,b'],
      [resource({ mimeType: 'text/csv', blob: btoa('\xff') }), expect.stringContaining('cannot be shown')],
      [
        resource({ mimeType: 'application/zip', blob: 'AAAA' }),
        expect.stringMatching(/note:\/\/1.*application\/zip/),
      ],
      [{ type: 'resource' }, expect.stringContaining('cannot be shown')],
      [
        { type: 'resource_link', uri: 'note://2', name: 'Two', description: 'The second' },
        'Two: note://2 (The second)',
      ],
      [{ type: 'hologram', beams: 3 }, expect.stringContaining('“hologram”')],
    ];
    for (const [part, expected] of cases)
      expect(toToolResult(CallResult.parse({ content: [part] }))).toEqual({ content: expected });
  });

  it('contain structured content only when there is no text', () => {
    const structuredContent = { sum: 42 };
    expect(toToolResult(CallResult.parse({ structuredContent }))).toEqual({ content: '{"sum":42}' });
    const content = [{ type: 'text', text: '42' }];
    expect(toToolResult(CallResult.parse({ content, structuredContent }))).toEqual({ content: '42' });
  });

  it('are marked as failed when the server says so', () => {
    expect(toToolResult(CallResult.parse({ content: [], isError: true }))).toEqual({
      content: '',
      failed: true,
    });
  });

  it('change no prototype, whatever keys they have', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"content":[{"type":"text","text":"hi","__proto__":{"polluted":1}}]}',
    );
    const result = toToolResult(CallResult.parse(hostile));
    expect(result).toEqual({ content: 'hi' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((result as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
