// Full text search through transcripts: a bounded scan, newest file first, that streams its hits. A pattern over raw
// blocks finds the few lines worth parsing; snapshots and other bookkeeping are never parsed.
import type { FileHandle } from 'node:fs/promises';
import { parseFrame } from '../frames/frame.ts';
import { NEWLINE } from '../frames/line-splitter.ts';
import { topLevelType } from '../frames/top-level-fields.ts';
import { readFully } from './file-blocks.ts';
import { openReal } from './real-file.ts';
import { messageOf } from './transcript-line.ts';

export interface TextSearchOptions {
  readonly signal?: AbortSignal;
  /** In all files. Default 50. */
  readonly maxHits?: number;
  /** In one file. Default 3. */
  readonly maxHitsPerFile?: number;
  /** Ends the search after this many bytes. Default 4 GB. */
  readonly maxBytes?: number;
}

export interface TextHit {
  readonly file: string;
  /** Start of the line, usable as a cursor into the transcript. */
  readonly offset: number;
  readonly uuid: string | undefined;
  readonly role: 'user' | 'assistant';
  /** The found text with some context, on one line. */
  readonly excerpt: string;
}

const BLOCK = 1024 * 1024;
/** A longer line is skipped: it contains a file or an image, not a conversation. */
const MAX_LINE = 16 * 1024 * 1024;
const EXCERPT = 80;

/** Skips files that can no longer be read. */
export async function* searchTranscripts(
  files: Iterable<string>,
  query: string,
  options: TextSearchOptions = {},
): AsyncGenerator<TextHit> {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return;
  let hitsLeft = options.maxHits ?? 50;
  let bytesLeft = options.maxBytes ?? 4 * 1024 ** 3;
  for (const path of files) {
    options.signal?.throwIfAborted();
    const file = await openReal(path).catch(() => undefined);
    if (!file) continue;
    try {
      let inFile = 0;
      for await (const { offset, lines } of blocksOfLines(file, options.signal)) {
        for (const hit of hitsIn(lines, offset, wanted)) {
          yield { file: path, ...hit };
          inFile += 1;
          hitsLeft -= 1;
          if (hitsLeft === 0) return;
          if (inFile === (options.maxHitsPerFile ?? 3)) break;
        }
        bytesLeft -= lines.length;
        if (bytesLeft <= 0) return;
        if (inFile === (options.maxHitsPerFile ?? 3)) break;
      }
    } finally {
      await file.close();
    }
  }
}

function* hitsIn(lines: Buffer, offset: number, wanted: string): Generator<Omit<TextHit, 'file'>> {
  const text = lines.toString('latin1');
  const pattern = rawPattern(wanted);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const start = text.lastIndexOf('\n', match.index) + 1;
    const newline = text.indexOf('\n', match.index);
    const end = newline === -1 ? text.length : newline;
    pattern.lastIndex = end;
    const hit = hitIn(lines.subarray(start, end), wanted);
    if (hit) yield { offset: offset + start, ...hit };
  }
}

function hitIn(line: Buffer, wanted: string): Omit<TextHit, 'file' | 'offset'> | undefined {
  const type = topLevelType(line);
  if (type !== 'user' && type !== 'assistant') return undefined;
  const frame = parseFrame(line);
  const message = frame && messageOf(frame);
  const at = message?.text.toLowerCase().indexOf(wanted) ?? -1;
  if (!message || at === -1) return undefined;
  return { uuid: frame.uuid, role: message.role, excerpt: excerptAt(message.text, at, wanted.length) };
}

function excerptAt(text: string, at: number, length: number): string {
  const start = Math.max(0, at - EXCERPT);
  const end = Math.min(text.length, at + length + EXCERPT);
  const cut = text.slice(start, end).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}

/**
 * Finds the query in UTF-8 bytes read as Latin-1, inside JSON strings, in either case. It may match too much: the
 * parsed line decides. No spelling of a character is a prefix of another, so no text matches in two ways.
 */
function rawPattern(wanted: string): RegExp {
  const parts = Array.from(wanted, (character) => {
    if (/[a-z0-9 ]/.test(character)) return character;
    const spellings = new Set([character, character.toUpperCase()].map(rawSpelling));
    return `(?:${[...spellings].map(escapeForPattern).join('|')})`;
  });
  return new RegExp(parts.join(''), 'gi');
}

function rawSpelling(character: string): string {
  const escaped = JSON.stringify(character).slice(1, -1);
  return Buffer.from(escaped).toString('latin1');
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** The file in blocks of whole lines; lines too long to be a conversation are left out. */
async function* blocksOfLines(
  file: FileHandle,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ offset: number; lines: Buffer }> {
  let parts: Buffer[] = [];
  let held = 0;
  let position = 0;
  for (;;) {
    signal?.throwIfAborted();
    const block = await readFully(file, position, BLOCK);
    if (block.length === 0) break;
    const end = block.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const offset = position - held;
      const lines =
        held > MAX_LINE
          ? block.subarray(block.indexOf(NEWLINE) + 1, end)
          : Buffer.concat([...parts, block.subarray(0, end)]);
      yield { offset: offset + held + end - lines.length, lines };
      parts = [];
      held = 0;
    }
    held += block.length - end;
    if (held <= MAX_LINE) parts.push(block.subarray(end));
    else parts = [];
    position += block.length;
  }
  if (held > 0 && held <= MAX_LINE) yield { offset: position - held, lines: Buffer.concat(parts) };
}
