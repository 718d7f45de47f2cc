// Refuses passwords that are easy to guess, and says what would make them better.
import { ParleyError } from '@parley/protocol';
import { Slots } from '../basics/slots.ts';
import { WorkerThread } from '../basics/worker-thread.ts';
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

interface Question {
  readonly password: string;
  readonly personal: readonly string[];
}

/** The reasons are names, not texts. */
interface Estimate {
  readonly score: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];
}

export type StrengthCheck = (password: string, personal: readonly string[]) => Promise<void>;

/** The check rejects with `invalid`. `personal`: what somebody who knows the person would try first. */
export function createStrengthCheck(): StrengthCheck {
  const thread = new WorkerThread<Question, Estimate>({
    module: new URL('./strength-worker.mjs', import.meta.url),
    idleMs: 0,
  });
  const slots = new Slots(1);
  return async (password, personal) => {
    if (password.length < shortestPassword) throw new WeakPassword('short');
    if (password.length > longestPassword) throw new WeakPassword('long');
    await slots.take();
    try {
      const signal = AbortSignal.timeout(longestMs);
      const question = {
        password: password.slice(0, estimatedChars),
        personal: ['parley', ...personal],
      };
      const { score, warning, suggestions } = await thread.call(question, signal).catch((thrown) => {
        throw signal.aborted ? tooLong() : thrown;
      });
      if (score >= enough) return;
      const found = [warning ?? '', ...suggestions].flatMap((reason) => adviceFor[reason] ?? []);
      throw new WeakPassword('weak', ...new Set(found));
    } finally {
      slots.release();
    }
  };
}

function tooLong(): ParleyError {
  return new ParleyError('busy', 'Checking the password took too long. Try again in a moment.');
}
