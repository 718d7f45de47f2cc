import { expect, it } from 'vitest';
import { waitText } from '../../src/content/waiting-time.ts';

it.each([
  [1, 'in 1 second'],
  [2, 'in 2 seconds'],
  [119, 'in 119 seconds'],
  [120, 'in 2 minutes'],
  [121, 'in 3 minutes'],
])('puts a wait of %s seconds into words', (seconds, words) => {
  expect(waitText(seconds)).toBe(words);
});
