// Which files are accepted, under which name, and as what.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFile, checkTogether, safeFileName } from '../../src/content/check-file.ts';
import { pdfFacts } from '../../src/content/pdf.ts';
import { file, pdf } from '../support/files.ts';
import { png } from '../support/images.ts';

describe('the name of a file', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
    ['a\nb\u202Egpj.exe', 'a bgpj.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['dir/', 'file'],
  ])('%j becomes %j', (given, safe) => {
    expect(safeFileName(given)).toBe(safe);
  });

  it('is one path component that every file system takes, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const safe = safeFileName(given);
        expect(Buffer.byteLength(safe)).toBeGreaterThan(0);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
        expect(safe).not.toMatch(/[/\\\p{Cc}]/u);
        expect(['.', '..']).not.toContain(safe);
      }),
    );
  });

  it('keeps its ending when it is cut', () => {
    expect(safeFileName(`${'ä'.repeat(300)}.pdf`)).toMatch(/^ä{98}\.pdf$/);
  });
});

describe('a file', () => {
  it.each([
    ['a PDF', pdf({ pages: 1 }), 'application/pdf'],
    ['a PDF after other bytes', Buffer.concat([Buffer.alloc(500), pdf({ pages: 1 })]), 'application/pdf'],
    ['text', 'const a = 1;\n', 'text/plain'],
    ['text in UTF-16', Buffer.from('\uFEFFGrüße', 'utf16le'), 'text/plain'],
    ['something else', Buffer.from([0, 1, 2, 255]), 'application/octet-stream'],
    ['text that is not UTF-8', Buffer.from([0x47, 0xfc]), 'application/octet-stream'],
  ])('is recognized by its bytes: %s', (_, content, mediaType) => {
    expect(checkFile({ ...file('x.png', content) })).toMatchObject({ type: 'file', mediaType });
  });

  it('is a picture if its bytes are', () => {
    const { data } = png(3, 2);
    expect(checkFile({ name: 'scan.bin', data })).toEqual({ type: 'image', mediaType: 'image/png', data });
  });

  it('is refused if it is empty or not base64 [app.attachments.limits]', () => {
    expect(() => checkFile({ name: 'a.txt', data: '' })).toThrow('a.txt is empty.');
    expect(() => checkFile({ name: 'a.txt', data: 'no base64!' })).toThrow('a.txt is not valid base64');
  });

  it('is refused if all of them together are too large [app.attachments.limits]', () => {
    const half = {
      type: 'file',
      name: 'a',
      mediaType: 'x/y',
      size: 1,
      data: 'A'.repeat(13 * 1024 * 1024),
    } as const;
    expect(() => checkTogether([half])).not.toThrow();
    expect(() => checkTogether([half, half])).toThrow('at most 18.75 MiB in total');
  });
});

describe('a PDF', () => {
  it.each([false, true])('has its pages counted, compressed: %s', (isCompressed) => {
    expect(pdfFacts(pdf({ pages: 12, isCompressed }))).toEqual({ pages: 12, isLocked: false });
  });

  it('that was saved twice has as many pages as before', () => {
    expect(pdfFacts(Buffer.concat([pdf({ pages: 7 }), pdf({ pages: 7 })])).pages).toBe(7);
  });

  it('says whether it needs a password', () => {
    expect(pdfFacts(pdf({ pages: 1, isLocked: true })).isLocked).toBe(true);
  });

  it('is read without failing, whatever it contains', () => {
    const start = Buffer.from('%PDF-1.7 /Type /ObjStm >> stream\n');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        expect(
          pdfFacts(Buffer.concat([start, bytes, Buffer.from('endstream')])).pages,
        ).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
