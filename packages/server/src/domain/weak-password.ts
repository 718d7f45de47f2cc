// A password that is refused, and what would make it better.
import { ParleyError } from '@parley/protocol';

/** In English; the doors have them in other languages. */
export const passwordAdvice = {
  weak: 'This password is easy to guess.',
  short: 'Use at least 8 characters for the password.',
  long: 'The password is too long.',
  common: 'Many people use this password or a similar one.',
  word: 'Single words and names are easy to guess.',
  personal: 'Leave out your name and the name of this server.',
  keyboard: 'Rows and patterns on the keyboard are easy to guess.',
  repeated: 'Repeated characters and sequences such as aaa or abc are easy to guess.',
  dates: 'Dates and years are easy to guess.',
  disguised: 'Capital letters and replacements such as @ for “a” don’t help much.',
  words: 'Add a few words that have nothing to do with each other.',
};

export type PasswordAdvice = keyof typeof passwordAdvice;

export class WeakPassword extends ParleyError {
  readonly advice: readonly PasswordAdvice[];

  constructor(...advice: readonly PasswordAdvice[]) {
    super('invalid', adviceText(advice, passwordAdvice));
    this.advice = advice;
  }
}

export function adviceText(
  advice: readonly PasswordAdvice[],
  texts: Readonly<Record<PasswordAdvice, string>>,
): string {
  return advice.map((one) => texts[one]).join(' ');
}
