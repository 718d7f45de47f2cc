// Sends requests to the Messages API and returns the open stream, or throws an ApiProblem. It uses Node's HTTP client
// directly (docs/adr/0013): the bytes of an open stream arrive without web streams, which take four times the memory.

import type { IncomingMessage } from 'node:http';
import type { Outgoing } from '../../basics/outgoing.ts';
import { readUpTo } from '../../basics/read-up-to.ts';
import type { Clock } from '../../domain/clock.ts';
import { ApiProblem, problemOfAnswer } from './api-problem.ts';
import type { MessagesRequest } from './request.ts';

export interface ApiClientOptions {
  readonly apiKey: string;
  readonly baseUrl?: string | undefined;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

export interface ApiClient {
  /** Resolves when the reply starts. Rejects with an ApiProblem, or with the signal's reason. */
  open(request: MessagesRequest, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

const apiVersion = '2026-10-21';
/** Error bodies are short; the rest of a longer one is ignored. */
const longestErrorBody = 64 * 1024;

export function createApiClient({ apiKey, baseUrl, outgoing, clock }: ApiClientOptions): ApiClient {
  const url = apiUrl(baseUrl ?? 'https://api.anthropic.com', '/v1/messages');
  const headers = {
    ...apiHeaders(apiKey),
    accept: 'text/event-stream',
    'content-type': 'application/json',
  };

  return {
    async open(request, signal) {
      const body = JSON.stringify(request);
      const answer = await send(outgoing, url, { method: 'POST', headers, body, signal });
      const status = answer.statusCode ?? 502;
      if (status >= 200 && status < 300) return answer as AsyncIterable<Uint8Array>;
      const text = await readError(answer, signal);
      // A proxy in front of the API may repeat what it was sent.
      const shown = text.replaceAll(apiKey, '[the API key]');
      throw problemOfAnswer({ status, headers: answer.headers, body: shown }, clock.now());
    },
  };
}

/** Asks the API about a model and returns the status. Costs nothing and sends nothing but the key. */
export async function modelStatus(
  baseUrl: string,
  {
    apiKey,
    model,
    outgoing,
    signal,
  }: { apiKey: string; model: string; outgoing: Outgoing; signal: AbortSignal },
): Promise<number> {
  const url = apiUrl(baseUrl, `/v1/models/${encodeURIComponent(model)}`);
  const answer = await send(outgoing, url, { method: 'GET', headers: apiHeaders(apiKey), signal });
  answer.destroy();
  return answer.statusCode ?? 502;
}

interface HttpSend {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** An abort before the answer rejects with its reason; a later one destroys the answer, so that reading it fails. */
function send(
  outgoing: Outgoing,
  url: URL,
  { body, signal, ...options }: HttpSend,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = outgoing.request(url, options);
    const abort = () => {
      reject(signal.reason);
      request.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    request.once('close', () => signal.removeEventListener('abort', abort));
    // The error listeners stay: a connection that fails later emits errors too, and the reader learns of it anyway.
    request.on('error', (cause) => reject(new ApiProblem('unreachable', cause.message, { cause })));
    request.once('response', (answer) => {
      answer.on('error', () => undefined);
      resolve(answer);
    });
    request.end(body);
  });
}

async function readError(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  try {
    return (await readUpTo(answer, longestErrorBody)).bytes.toString('utf8');
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new ApiProblem('unreachable', 'the connection broke while an error was read', { cause });
  }
}

/** The base may contain a path, for example of a proxy in front of the API. */
function apiUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl.replace(/\/+$/, '') + path);
}

function apiHeaders(apiKey: string): Readonly<Record<string, string>> {
  return { 'x-api-key': apiKey, 'anthropic-version': apiVersion, 'user-agent': 'Parley' };
}
