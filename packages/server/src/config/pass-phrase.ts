// A pass phrase that can be read out and typed: four made-up words of five letters, each standing for 16 random bits.
import { randomBytes } from 'node:crypto';

const consonants = 'bdfghjklmnprstvz';
const vowels = 'aiou';

/** 64 bits, such as `lusab-babad-gutih-tugad`. */
export function newPassPhrase(): string {
  const bytes = randomBytes(8);
  return Array.from({ length: 4 }, (_, index) => toWord(bytes.readUInt16BE(index * 2))).join('-');
}

function toWord(bits: number): string {
  const consonant = (shift: number) => consonants[(bits >> shift) & 15];
  const vowel = (shift: number) => vowels[(bits >> shift) & 3];
  return `${consonant(12)}${vowel(10)}${consonant(6)}${vowel(4)}${consonant(0)}`;
}
