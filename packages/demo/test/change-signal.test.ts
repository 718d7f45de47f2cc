// Waiting for a condition.
import { expect, it } from 'vitest';
import { ChangeSignal } from '../src/change-signal.ts';

it('stops waiting when the signal has already aborted', async () => {
  const changes = new ChangeSignal();
  const aborted = AbortSignal.abort(new Error('too late'));
  await expect(changes.until(() => false, aborted)).rejects.toThrow('too late');
  await changes.until(() => true, aborted);
});
