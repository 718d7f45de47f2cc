// Answers malformed and timed-out requests in the usual error shape, then closes the connection.
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

const unreadable: Refusal = { status: 400, code: 'invalid', message: 'This is not a valid HTTP request.' };
const failures: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'invalid', message: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'too_large',
    message: 'The request headers are too large.',
  },
};
