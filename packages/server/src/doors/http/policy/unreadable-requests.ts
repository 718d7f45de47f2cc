// What is no request at all, or none that came in time: answered in the shape of every other failure, and hung up on.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@parley/protocol';

export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(answerTo(error.code));
  socket.destroy();
}

function answerTo(code: string | undefined): string {
  const { status, ...failure } = failures[code ?? ''] ?? unreadable;
  const body = JSON.stringify({ error: failure } satisfies ErrorBody);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `\r\n${body}`,
  ].join('\r\n');
}

interface Refusal {
  readonly status: number;
  readonly code: ErrorBody['error']['code'];
  readonly message: string;
}

const unreadable: Refusal = { status: 400, code: 'invalid', message: 'This is no request that can be read.' };
const failures: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'invalid', message: 'The request did not come in time.' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'too_large',
    message: 'The headers of the request are too large.',
  },
};
