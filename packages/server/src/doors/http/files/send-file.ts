// Sends a file as a download, whole or a range of it. No browser shows it by itself: an image only where a page asks for
// one, and everything else not at all.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { OpenedFile } from '../../../domain/files.ts';

export async function sendFile(reply: FastifyReply, file: OpenedFile): Promise<FastifyReply> {
  const range = rangeOf(reply.request.headers.range, file.size);
  reply.headers({
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name).replaceAll("'", '%27')}`,
    // Besides the header, which every response has: nothing in it runs, not even where it is shown.
    'content-security-policy': "default-src 'none'; sandbox",
  });
  reply.type(file.imageType ?? 'application/octet-stream');
  if (range === 'unsatisfiable') {
    await file[Symbol.asyncDispose]();
    return reply.code(416).header('content-range', `bytes */${file.size}`).serializer(String).send('');
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`);
  reply.header('content-length', end - start + 1);
  const body = Readable.from(end < start ? [] : file.read({ start, end }), { objectMode: false });
  // Also if the client leaves early.
  body.once('close', () => void file[Symbol.asyncDispose]());
  return reply.send(body);
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
