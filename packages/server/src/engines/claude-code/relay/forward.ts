// Forwards one request of the program to the API with the real key, and streams the answer back.

import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Usage } from '@parley/protocol';
import type { Outgoing } from '../../../basics/outgoing.ts';
import { readUpTo } from '../../../basics/read-up-to.ts';
import type { Upstream } from '../program-home.ts';
import { UsageTap } from './usage-tap.ts';

export interface Forwarding extends Upstream {
  readonly outgoing: Pick<Outgoing, 'request'>;
  /** Called once, when the request is over; without usage if the API reported none. */
  readonly onOver: (used: { readonly model: string; readonly usage: Usage } | undefined) => void;
  readonly onProblem: (error: Error) => void;
}

const longestErrorBody = 64 * 1024;

export function forward(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  options: Forwarding,
): void {
  const { apiKey, baseUrl, outgoing, onProblem, onOver } = options;
  const asked = outgoing.request(new URL(baseUrl.replace(/\/+$/, '') + (request.url ?? '')), {
    method: request.method ?? 'POST',
    headers: { ...passedOn(request.headers), 'x-api-key': apiKey, 'accept-encoding': 'identity' },
  });
  // Cancels the request if the program is gone, because nobody would read the answer.
  response.once('close', () => void (response.writableFinished || asked.destroy()));
  let isAnswered = false;
  asked.once('response', (answer) => {
    isAnswered = true;
    passBack(answer, response, options);
  });
  asked.once('close', () => void (isAnswered || onOver(undefined)));
  asked.on('error', (error) => {
    if (response.closed) return;
    onProblem(error);
    if (response.headersSent) response.destroy();
    else refuse(response, 502, 'api_error', `The API could not be reached: ${error.message}`);
  });
  asked.end(body);
}

function passBack(answer: IncomingMessage, response: ServerResponse, options: Forwarding): void {
  const { statusCode: status = 502, headers } = answer;
  // A broken answer must not look like a complete one.
  answer.once('error', () => response.destroy());
  if (status >= 400) {
    options.onOver(undefined);
    return void passError(answer, response, options);
  }
  const tap = new UsageTap(headers['content-type']);
  answer.on('data', (chunk: Buffer) => tap.push(chunk));
  answer.once('close', () => options.onOver(tap.used));
  response.writeHead(status, passedOn(headers));
  response.flushHeaders();
  answer.pipe(response);
}

/** Removes the key, because a proxy in front of the API may repeat what it was sent. */
async function passError(
  answer: IncomingMessage,
  response: ServerResponse,
  { apiKey }: Forwarding,
): Promise<void> {
  const body = await readUpTo(answer, longestErrorBody).catch(() => undefined);
  if (!body) {
    response.destroy();
    return;
  }
  const text = body.bytes.toString('utf8');
  const { 'content-length': _, ...headers } = passedOn(answer.headers);
  response.writeHead(answer.statusCode ?? 502, headers).end(text.replaceAll(apiKey, '[the API key]'));
}

/** Answers like the API does, so that the program shows the message and doesn't retry. */
export function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  if (response.headersSent || response.destroyed) return;
  const headers = { 'content-type': 'application/json', connection: 'close', 'x-should-retry': 'false' };
  response.writeHead(status, headers);
  response.end(JSON.stringify({ type: 'error', error: { type, message } }));
}

/** These belong to one connection, or to the program and its token. */
const notForwarded = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-api-key',
]);

function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !notForwarded.has(name)));
}
