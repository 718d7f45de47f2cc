// What a report leaves out, and where the card of the tour goes.
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../src/help/client-errors.ts';
import { placeOf } from '../src/help/report.ts';
import { cardPosition } from '../src/help/stops.ts';

describe('a report', () => {
  it('hides keys, tokens, and what follows the path of an address [app.help.report]', () => {
    expect(withoutSecrets('key sk-ant-api03-abc_DEF, pk_abcdefgh')).toBe('key [hidden], [hidden]');
    expect(withoutSecrets('Authorization: Bearer abc.def')).toBe('Authorization: Bearer [hidden]');
    expect(withoutSecrets('at https://me:pw@host/invite?x=1#secret:3:1')).toBe('at https://host/invite:3:1');
    expect(withoutSecrets('TypeError: task is not a function')).toBe('TypeError: task is not a function');
  });

  it('names the page, not the conversation [app.help.report]', () => {
    expect(placeOf('/code/0b7e9f5c-1d55-4f6e-9d0a-2a8c1c0f7d11')).toBe('/code/:id');
    expect(placeOf('/chat/anything at all')).toBe('/chat/:id');
    expect(placeOf('/settings/people')).toBe('/settings/people');
  });
});

describe('the card of the tour', () => {
  const card = { width: 300, height: 150 };
  const page = { width: 1000, height: 800 };

  it('is below its place, above it at the bottom, and never outside [app.help.tour]', () => {
    expect(cardPosition({ left: 400, top: 0, width: 100, height: 50 }, card, page)).toEqual({
      left: 300,
      top: 62,
    });
    expect(cardPosition({ left: 900, top: 700, width: 90, height: 60 }, card, page)).toEqual({
      left: 688,
      top: 538,
    });
    expect(cardPosition(undefined, card, page)).toEqual({ left: 350, top: 325 });
    expect(
      cardPosition({ left: 0, top: 0, width: 320, height: 480 }, card, { width: 320, height: 480 }),
    ).toEqual({ left: 12, top: 12 });
  });
});
