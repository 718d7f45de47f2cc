// A target with a bug that random inputs alone would not find: four steps, and only coverage shows each of them.
import { fuzz } from '../../fuzz/fuzz.ts';

await fuzz({
  name: 'planted',
  seeds: ['some text'],
  words: 'parley'.split(''),
  check(input) {
    if (input[0] === 0x70) {
      if (input[1] === 0x61) {
        if (input[2] === 0x72) {
          if (input[3] === 0x6c) throw new Error('planted');
        }
      }
    }
  },
});
