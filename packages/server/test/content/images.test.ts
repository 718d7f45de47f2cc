// Which images are accepted, judged by their bytes.
import { ParleyError } from '@parley/protocol';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkImage, imageLimits } from '../../src/content/check-image.ts';
import { gif, jpeg, type Made, made, png, webp } from '../support/images.ts';

/** Rethrows bugs. */
const outcomeOf = (image: Made): string => {
  try {
    checkImage(image);
    return 'taken';
  } catch (error) {
    if (error instanceof ParleyError) return error.message;
    throw error;
  }
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('an image', () => {
  it.each<[string, Made]>([
    ['PNG', png(640, 480)],
    ['GIF of 1989', gif(640, 480)],
    ['GIF of 1987', gif(640, 480, '87a')],
    ['JPEG', jpeg(640, 480)],
    ['progressive JPEG', jpeg(640, 480, 0xc2)],
    ['lossy WebP', webp('lossy', 640, 480)],
    ['lossless WebP', webp('lossless', 640, 480)],
    ['WebP with extras', webp('extended', 640, 480)],
  ])('is accepted as %s', (_, image) => {
    expect(checkImage(image)).toEqual({ type: 'image', mediaType: image.media_type, data: image.data });
  });

  it('is recognized on versions of Node whose `latin1` is windows-1252, as the standard says', () => {
    class StandardDecoder extends TextDecoder {
      override decode(bytes?: Uint8Array): string {
        return super.decode(bytes).replaceAll('\x89', '\u2030');
      }
    }
    vi.stubGlobal('TextDecoder', StandardDecoder);

    expect(new TextDecoder('latin1').decode(Uint8Array.of(0x89))).toBe('\u2030');
    expect(outcomeOf(png(640, 480))).toBe('taken');
  });

  it.each<[string, Made]>([
    ['PNG', png(8_001, 10)],
    ['GIF', gif(10, 8_001)],
    ['JPEG', jpeg(8_001, 10)],
    ['lossy WebP', webp('lossy', 10, 8_001)],
    ['lossless WebP', webp('lossless', 8_001, 10)],
    ['WebP with extras', webp('extended', 10, 8_001)],
  ])('has its size read from the header: %s', (_, image) => {
    expect(outcomeOf(image)).toMatch(
      /^The image is (8001 × 10|10 × 8001) pixels\. Send one with at most 8000/,
    );
  });

  it('may have many pixels on each side, but not in total', () => {
    expect(checkImage(png(8_000, 6_250)).mediaType).toBe('image/png');
    expect(outcomeOf(png(8_000, 6_251))).toContain('50 million pixels in total');
  });

  it.each<[string, Made, string]>([
    ['of another kind', made('image/png', 'BM', [1, 2, 3, 4]), 'Send a JPEG, PNG, GIF or WebP.'],
    [
      'a drawing with scripts',
      made('image/png', '<svg onload="alert(1)"/>'),
      'Send a JPEG, PNG, GIF or WebP.',
    ],
    ['empty', { media_type: 'image/png', data: '' }, 'not valid base64'],
    [
      'a data URL',
      { media_type: 'image/png', data: `data:image/png;base64,${png(1, 1).data}` },
      'not valid base64',
    ],
    ['not base64', { media_type: 'image/png', data: '###!' }, 'not valid base64'],
    ['declared as another kind', { ...png(1, 1), media_type: 'image/jpeg' }, 'but its bytes are image/png'],
    [
      'declared as a kind that is none',
      { ...png(1, 1), media_type: 'text/html' },
      'but its bytes are image/png',
    ],
    ['cut short', made('image/png', '\x89PNG\r\n\x1a\n', [0, 0]), 'damaged'],
    ['a JPEG without a frame', made('image/jpeg', [0xff, 0xd8, 0xff, 0xd9]), 'damaged'],
    ['a JPEG with scans first', made('image/jpeg', [0xff, 0xd8, 0xff, 0xda, 0, 2]), 'damaged'],
    ['without pixels', png(0, 5), 'damaged'],
  ])('is refused when it is %s', (_, image, sentence) => {
    expect(outcomeOf(image)).toContain(sentence);
  });

  it('may be as large as the model accepts, and no larger', () => {
    const padded = (length: number) => {
      const head = png(10, 10).data.replace(/=+$/, '');
      return { media_type: 'image/png', data: head.padEnd(length, 'A') };
    };
    expect(checkImage(padded(imageLimits.base64Length)).type).toBe('image');
    expect(outcomeOf(padded(imageLimits.base64Length + 4))).toBe(
      'The image is larger than 3.75 MiB. Send a smaller one.',
    );
  });

  it('is accepted or refused with a sentence, whatever the bytes are', () => {
    const heads = [png(9, 9), gif(9, 9), jpeg(9, 9), webp('lossy', 9, 9), webp('lossless', 9, 9)];
    fc.assert(
      fc.property(
        fc.constantFrom(...heads),
        fc.uint8Array({ maxLength: 60 }),
        fc.nat(40),
        (head, noise, at) => {
          const bytes = Buffer.from(head.data, 'base64');
          const data = Buffer.concat([bytes.subarray(0, at), noise]).toString('base64');
          expect(outcomeOf({ media_type: head.media_type, data })).toMatch(/^(taken|The image .*\.)$/);
        },
      ),
    );
  });
});
