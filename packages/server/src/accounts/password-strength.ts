// Refuses passwords that are easy to guess, and says what would make them better.
import { Worker } from 'node:worker_threads';
import { ParleyError } from '@parley/protocol';
import { Slots } from '../basics/slots.ts';
import { longestPassword } from '../domain/password-hashes.ts';
import { type PasswordAdvice, WeakPassword } from '../domain/weak-password.ts';

/** In characters. The advice to people names it, too. */
const shortestPassword = 8;

/** The estimate takes more than linear time, and the start of a password is enough to judge it. */
const estimatedChars = 64;
/** Of 0 to 4: 3 withstands offline guessing of a slow hash. */
const enough = 3;
const longestMs = 20_000;

/** By the estimate's names for its reasons. */
const adviceFor: Readonly<Partial<Record<string, PasswordAdvice>>> = {
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  pwned: 'common',
  wordByItself: 'word',
  namesByThemselves: 'word',
  commonNames: 'word',
  userInputs: 'personal',
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  longerKeyboardPattern: 'keyboard',
  simpleRepeat: 'repeated',
  extendedRepeat: 'repeated',
  repeated: 'repeated',
  sequences: 'repeated',
  dates: 'dates',
  recentYears: 'dates',
  associatedYears: 'dates',
  l33t: 'disguised',
  reverseWords: 'disguised',
  allUppercase: 'disguised',
  capitalization: 'disguised',
  anotherWord: 'words',
  useWords: 'words',
};

/** The reasons are names, not texts. */
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
    if (password.length < shortestPassword) throw new WeakPassword('short');
    if (password.length > longestPassword) throw new WeakPassword('long');
    await slots.take();
    try {
      const { score, warning, suggestions } = await estimate(password.slice(0, estimatedChars), personal);
      if (score >= enough) return;
      const found = [warning ?? '', ...suggestions].flatMap((reason) => adviceFor[reason] ?? []);
      throw new WeakPassword('weak', ...new Set(found));
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
