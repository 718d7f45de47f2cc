// Detects the type of an answer and decodes its bytes to text. Pure.
import type { HttpResponse } from '../../domain/http.ts';

type BodyKind = 'html' | 'text' | 'other';

export interface TypedBody {
  readonly kind: BodyKind;
  /** The media type, safe to show. */
  readonly type: string;
  readonly charset: string | undefined;
}

export function typeOfBody({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): TypedBody {
  const header = headers.get('content-type') ?? '';
  const declared = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(header)?.[1]?.toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(header)?.[1];
  const type = declared ?? sniff(body);
  return { kind: kindOf(type), type, charset };
}

/** As browsers do: first a byte order mark, then the header's charset, then the page's own, then UTF-8. */
export function decodeBody(body: Uint8Array, { kind, charset }: TypedBody): string {
  const labels = [bomOf(body), charset, kind === 'html' ? metaCharset(body) : undefined, 'utf-8'];
  for (const label of labels) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (decoder !== undefined) return decode(body, decoder);
  }
  return new TextDecoder().decode(body);
}

function kindOf(type: string): BodyKind {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type.startsWith('text/') || textTypes.has(type) || /\+(json|xml|yaml)$/.test(type)) return 'text';
  return 'other';
}

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/javascript',
  'application/x-ndjson',
  'application/yaml',
  'application/toml',
]);

/** For servers that don't declare a type. */
function sniff(body: Uint8Array): string {
  const start = body.subarray(0, sniffedBytes);
  if (start.includes(0)) return 'application/octet-stream';
  return /^\s*<(!doctype|html|head|body)/i.test(new TextDecoder().decode(start)) ? 'text/html' : 'text/plain';
}

function metaCharset(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.subarray(0, sniffedBytes)).toString('latin1');
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1];
}

const sniffedBytes = 4_096;

function bomOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return undefined;
}

/** Undefined for an unknown charset. */
function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Node 20 decodes windows-1252, which `latin1` and `iso-8859-1` also mean, without its letters from 0x80 to 0x9f. */
function decode(body: Uint8Array, decoder: InstanceType<typeof TextDecoder>): string {
  const text = decoder.decode(body);
  if (decoder.encoding !== 'windows-1252') return text;
  return text.replaceAll(/[\x80-\x9f]/g, (letter) => windows1252[letter.charCodeAt(0) - 0x80] ?? letter);
}

/** Five bytes have no letter and stay what they are. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
