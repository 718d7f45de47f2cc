// How host names are compared, for odd ones that can't be sent in a test over HTTP.
import { describe, expect, it } from 'vitest';
import { hostCheck, isForeignOrigin } from '../../../src/doors/http/policy/origin.ts';

describe('hostCheck', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7:4710', true],
    ['2001:db8::7', '[2001:db8::7]:4710', true],
    ['0.0.0.0', '0.0.0.0:4710', false],
    ['::', '[::]:4710', false],
    ['127.0.0.1', '', false],
    ['127.0.0.1', undefined, false],
    ['127.0.0.1', 'localhost:', true],
    ['127.0.0.1', 'localhost:99999', false],
    ['127.0.0.1', 'user@localhost', false],
    ['127.0.0.1', 'localhost\\evil', false],
    // Other spellings of an allowed address are the same address.
    ['127.0.0.1', '0x7f.1', true],
  ])('bound to %s, answers to %j: %s', (bound, host, expected) => {
    expect(hostCheck(bound, [])(host)).toBe(expected);
  });

  it('accepts configured names in any case', () => {
    const check = hostCheck('0.0.0.0', ['Parley.Example']);
    expect(check('parley.example:80')).toBe(true);
    expect(check('other.example')).toBe(false);
  });
});

describe('isForeignOrigin', () => {
  it.each([
    ['GET', 'https://evil.example', 'localhost', false],
    ['DELETE', 'https://evil.example', 'localhost', true],
    ['POST', undefined, 'localhost', false],
    ['POST', 'http://localhost', 'localhost:80', false],
    ['POST', 'https://localhost', 'localhost:80', true],
    ['POST', 'http://localhost', undefined, true],
    ['POST', 'file://', 'localhost', true],
  ])('%s from %j at %j: %s', (method, origin, host, expected) => {
    expect(isForeignOrigin(method, origin, host)).toBe(expected);
  });
});
