// Small files as clients attach them.
import { deflateSync } from 'node:zlib';
import type { FileAttachment, PromptFile } from '@parley/protocol';
import { checkFile } from '../../src/content/check-file.ts';

export function file(name: string, content: string | Uint8Array): FileAttachment {
  return { name, data: Buffer.from(content).toString('base64') };
}

/** The part of a prompt that the file becomes. */
export function filePart(name: string, content: string | Uint8Array): PromptFile {
  const part = checkFile(file(name, content));
  if (part.type !== 'file') throw new Error(`${name} is no file`);
  return part;
}

export interface PdfParts {
  readonly pages: number;
  /** The pages are in a compressed object stream, as newer programs write them. */
  readonly isCompressed?: boolean;
  readonly isLocked?: boolean;
}

export function pdf({ pages, isCompressed = false, isLocked = false }: PdfParts): Buffer {
  const objects = [
    `<< /Type /Pages /Count ${pages} /Kids [] >>`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R >>'),
  ].join('\n');
  const packed = deflateSync(objects);
  const body = isCompressed
    ? [
        `3 0 obj\n<< /Type /ObjStm /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`,
        packed,
        '\nendstream\nendobj\n',
      ]
    : [`2 0 obj\n${objects}\nendobj\n`];
  const trailer = `trailer << /Root 1 0 R ${isLocked ? '/Encrypt 9 0 R ' : ''}>>\n%%EOF\n`;
  return Buffer.concat(['%PDF-1.7\n', ...body, trailer].map((part) => Buffer.from(part as string)));
}
