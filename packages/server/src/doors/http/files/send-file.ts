// Sends a file as a download, whole or a range of it. Browsers never open it as a page; only images are shown, where a
// page embeds them.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { OpenedFile } from '../../../domain/files.ts';
import { asDownload } from '../download.ts';

export async function sendFile(reply: FastifyReply, file: OpenedFile): Promise<FastifyReply> {
  reply.headers({
    'content-disposition': asDownload(file.name),
    // Stricter than the policy of other responses: nothing in the file runs, not even where it is shown.
    'content-security-policy': "default-src 'none'; sandbox",
  });
  reply.type(file.imageType ?? 'application/octet-stream');
  const range = announceRange(reply, file.size);
  if (!range) {
    await file[Symbol.asyncDispose]();
    return reply.serializer(String).send('');
  }
  const body = Readable.from(range.end < range.start ? [] : file.read(range), { objectMode: false });
  // Runs even if the client disconnects early.
  body.once('close', () => void file[Symbol.asyncDispose]());
  return reply.send(body);
}

/** Sets the headers for the requested range. Undefined if the file has no such range; the reply then has no body. */
export function announceRange(reply: FastifyReply, size: number) {
  const range = rangeOf(reply.request.headers.range, size);
  reply.header('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') {
    reply.code(416).header('content-range', `bytes */${size}`);
    return undefined;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', end - start + 1);
  return { start, end };
}

/** One range, as players and download managers ask for. Anything else gets the whole file. */
function rangeOf(header: string | undefined, size: number) {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!asked || (asked[1] === '' && asked[2] === '')) return undefined;
  const [from = '', to = ''] = asked.slice(1);
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? ('unsatisfiable' as const) : { start, end };
}
