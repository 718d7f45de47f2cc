import { describe, expect, it } from 'vitest';
import { staysAtEnd } from '../src/chat/transcript/sticky-scroll.ts';

const end = { top: 500, end: 500 };

describe('a reader at the end of a conversation', () => {
  it('stays there while it grows', () => {
    expect(staysAtEnd(true, end, { top: 500, end: 900 })).toBe(true);
  });

  it('leaves it by scrolling up, also while it grows', () => {
    expect(staysAtEnd(true, end, { top: 300, end: 500 })).toBe(false);
    expect(staysAtEnd(true, end, { top: 450, end: 900 })).toBe(false);
  });

  it('does not leave it when a message moves from the conversation to those that wait', () => {
    expect(staysAtEnd(true, end, { top: 300, end: 400 })).toBe(true);
  });

  it('is there again near the end, and not before', () => {
    expect(staysAtEnd(false, { top: 100, end: 500 }, { top: 300, end: 500 })).toBe(false);
    expect(staysAtEnd(false, { top: 300, end: 500 }, { top: 450, end: 500 })).toBe(true);
  });
});
