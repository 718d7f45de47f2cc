// How connections leave this machine: directly, or through the proxy that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY
// name. Loopback addresses never use a proxy. Whatever connects to another server gets an Outgoing from app.ts and calls
// - `request(url, options)` in place of Node's `https.request(url, options)`; it keeps connections alive;
// - `agent(url)` for libraries that take an agent, such as ws and grammY;
// - `outgoingDispatcher` (outgoing-dispatcher.ts) for undici.
// Child programs get `variables`.
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { isSecure, type Proxy, type ProxySettings, proxyRoutes, proxyVariables } from './proxy-routes.ts';

export interface Outgoing {
  /** Undefined if the connection is direct. Treats ws and wss as http and https. */
  proxyFor(url: URL): Proxy | undefined;
  /** A header list is not supported: a request through a proxy needs more headers. */
  request(
    url: URL,
    options: Omit<RequestOptions, 'agent' | 'headers'> & { readonly headers?: OutgoingHttpHeaders },
  ): ClientRequest;
  /** Opens a tunnel through the proxy for http addresses too. */
  agent(url: URL): HttpAgent;
  /** The same routes for child programs; empty without a proxy. */
  readonly variables: Readonly<Record<string, string>>;
}

const agentOptions = { keepAlive: true, maxFreeSockets: 64 };
const tunnelMs = 30_000;

export function createOutgoing(settings: ProxySettings = {}): Outgoing {
  const proxyFor = proxyRoutes(settings);
  const agents = new Map<string, HttpAgent>();

  const agentOf = (protocol: 'http:' | 'https:', proxy?: Proxy): HttpAgent => {
    const key = `${protocol} ${proxy?.url.href ?? ''}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const agent = protocol === 'https:' ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    if (proxy !== undefined) tunnelConnections(agent, proxy, protocol === 'https:');
    agents.set(key, agent);
    return agent;
  };

  return {
    proxyFor,
    agent: (url) => agentOf(isSecure(url) ? 'https:' : 'http:', proxyFor(url)),
    request(url, options) {
      const proxy = proxyFor(url);
      if (isSecure(url)) return httpsRequest(url, { ...options, agent: agentOf('https:', proxy) });
      if (proxy === undefined) return httpRequest(url, { ...options, agent: agentOf('http:') });
      const { protocol } = proxy.url;
      const send = protocol === 'https:' ? httpsRequest : httpRequest;
      return send(proxy.url, {
        ...options,
        agent: agentOf(protocol === 'https:' ? 'https:' : 'http:'),
        path: url.href,
        headers: { ...options.headers, host: url.host, ...authorization(proxy) },
      });
    },
    variables: proxyVariables(settings),
  };
}

function authorization(proxy: Proxy): OutgoingHttpHeaders {
  return proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization };
}

/** Makes an agent connect through a tunnel that it asks the proxy for. */
function tunnelConnections(agent: HttpAgent, proxy: Proxy, isTls: boolean): void {
  agent.createConnection = (options, report) => {
    const host = options.host ?? 'localhost';
    const target = `${isIPv6(host) ? `[${host}]` : host}:${options.port ?? (isTls ? 443 : 80)}`;
    openTunnel(proxy, target)
      .then((socket) => (isTls ? encrypt({ ...(options as object), host, socket }) : socket))
      .then(
        (socket) => report?.(null, socket),
        (error: Error) => report?.(error, undefined as never),
      );
    return undefined;
  };
}

async function encrypt(options: ConnectionOptions): Promise<Duplex> {
  // Importing it reads all root certificates, which only a tunnel needs here.
  const { connect } = await import('node:tls');
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function openTunnel({ url, ...proxy }: Proxy, target: string): Promise<Duplex> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const headers = { host: target, ...authorization({ url, ...proxy }) };
    const asked = send(url, { method: 'CONNECT', path: target, headers, agent: false, timeout: tunnelMs });
    asked.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) {
        socket.setTimeout(0);
        return resolve(socket);
      }
      socket.destroy();
      reject(new Error(`the proxy ${url.host} refused to connect to ${target} (status ${statusCode})`));
    });
    // A proxy that doesn't know CONNECT answers like a web server.
    asked.once('response', ({ statusCode }) => {
      asked.destroy();
      reject(new Error(`the proxy ${url.host} refused to connect to ${target} (status ${statusCode})`));
    });
    asked.once('timeout', () => asked.destroy(new Error('it does not answer')));
    asked.once('error', (cause) =>
      reject(new Error(`the proxy ${url.host} could not be reached: ${cause.message}`, { cause })),
    );
    asked.end();
  });
}
