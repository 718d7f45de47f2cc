// The little of `fetch` that the SDK needs, on Node's own HTTP client: an open stream then costs half the memory,
// and its bytes arrive without the detour through web streams. It only ever talks to the configured API.
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface HttpFetch {
  readonly fetch: typeof globalThis.fetch;
  /** The bytes of a reply that began well; a failed one has its text in the Response itself. */
  bodyOf(response: Response): IncomingMessage | undefined;
}

/** What a service says about a failure is short; more is cut. */
const longestFailure = 64 * 1024;
const agentOptions = { keepAlive: true, maxFreeSockets: 64 };

export function createHttpFetch(): HttpFetch {
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };
  const bodies = new WeakMap<Response, IncomingMessage>();

  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET', signal } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const options = { method, headers };
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: agents.https })
        : httpRequest(url, { ...options, agent: agents.http });
    const incoming = await answered(request, init.body, signal);
    const status = incoming.statusCode ?? 502;
    const head = { status, headers: headersOf(incoming) };
    if (status >= 400) return new Response(await textOf(incoming), head);
    const response = new Response(null, head);
    bodies.set(response, incoming);
    return response;
  }

  return { fetch, bodyOf: (response) => bodies.get(response) };
}

/** An abort before the reply rejects with its reason; one after it breaks the reply off. */
function answered(
  request: ClientRequest,
  body: RequestInit['body'],
  signal: AbortSignal | null | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal?.reason);
      request.destroy();
    };
    // The listeners stay: a request that breaks off later says so here too, and whoever reads is told anyway.
    request.on('error', reject);
    request.once('close', () => signal?.removeEventListener('abort', abort));
    request.once('response', (incoming) => {
      incoming.on('error', () => undefined);
      resolve(incoming);
    });
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    // The SDK sends its requests as text.
    request.end(typeof body === 'string' ? body : undefined);
  });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > longestFailure) break;
  }
  return Buffer.concat(chunks).subarray(0, longestFailure).toString('utf8');
}
