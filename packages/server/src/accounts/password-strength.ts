// Refuses passwords that are easy to guess, and says what would make them better.
import { Worker } from 'node:worker_threads';
import { ParleyError } from '@parley/protocol';
import { Slots } from '../basics/slots.ts';
import { longestPassword } from '../domain/password-hashes.ts';

/** In characters. */
const shortestPassword = 8;

/** The estimate takes more than linear time, and the start of a password is enough to judge it. */
const estimatedChars = 64;
/** Of 0 to 4: 3 withstands offline guessing of a slow hash. */
const enough = 3;
const longestMs = 20_000;

interface Estimate {
  readonly score: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];
}

export type StrengthCheck = (password: string, personal: readonly string[]) => Promise<void>;

/** The check rejects with `invalid`. `personal`: what somebody who knows the person would try first. */
export function createStrengthCheck(): StrengthCheck {
  const slots = new Slots(1);
  return async (password, personal) => {
    if (password.length < shortestPassword)
      throw new ParleyError('invalid', `Use at least ${shortestPassword} characters for the password.`);
    if (password.length > longestPassword) throw new ParleyError('invalid', 'The password is too long.');
    await slots.take();
    try {
      const { score, warning, suggestions } = await estimate(password.slice(0, estimatedChars), personal);
      if (score >= enough) return;
      const advice = [warning ?? '', ...suggestions].filter((sentence) => sentence !== '');
      throw new ParleyError('invalid', ['This password is easy to guess.', ...advice].join(' '));
    } finally {
      slots.release();
    }
  };
}

function estimate(password: string, personal: readonly string[]): Promise<Estimate> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./strength-worker.mjs', import.meta.url), {
      workerData: { password, personal: ['parley', ...personal] },
      execArgv: [],
    });
    const tooLong = setTimeout(() => {
      void worker.terminate();
      reject(new ParleyError('busy', 'Checking the password takes too long. Try again in a moment.'));
    }, longestMs);
    worker.once('message', (result: Estimate) => {
      clearTimeout(tooLong);
      void worker.terminate();
      resolve(result);
    });
    worker.once('error', (error) => {
      clearTimeout(tooLong);
      reject(error);
    });
  });
}
