// Is the port free, and can the model be reached?
import { connect, createServer } from 'node:net';
import { isLoopback } from '../../config/rules.ts';
import { probe } from '../probe.ts';
import { broken, type Check, type Finding, ok, warning } from './check.ts';

export const port: Check = {
  name: 'Port',
  run: async ({ config: { host, port } }) => {
    if (port === 0) return [ok('any free one')];
    const code = await bindError(host, port);
    if (code === undefined) return [ok(`${host}:${port} is free`)];
    if (code !== 'EADDRINUSE') {
      return [
        broken(`${host}:${port} cannot be used (${code})`, 'Set PARLEY_HOST and PARLEY_PORT to others.'),
      ];
    }
    return [
      (await probe(host, port)) === 'parley'
        ? ok(`a Parley is running at ${host}:${port}`)
        : broken(`${host}:${port} is taken by another program`, 'Stop that one, or set PARLEY_PORT.'),
    ];
  },
};

/** The public API is not called: a check must not send anything out of the house. */
export const model: Check = {
  name: 'Model',
  run: async ({ config: { demo, model, anthropic }, signal }) => {
    if (demo) {
      return [ok(`demo mode: a scripted stand-in answers, until ANTHROPIC_API_KEY is set`)];
    }
    if (!anthropic.apiKey) {
      return [
        warning(
          'no API key: the assistants cannot answer',
          'Set ANTHROPIC_API_KEY, or remove PARLEY_DEMO=0.',
        ),
      ];
    }
    const address = new URL(anthropic.baseUrl);
    const { hostname, protocol, host } = address;
    if (!isLoopback(hostname.replace(/^\[|\]$/g, ''))) return [overTheNet(model, protocol, host)];
    return [
      (await answers(address, signal))
        ? ok(`${model} at ${host}`)
        : broken(`nobody answers at ${host}`, 'Start the server there, or correct ANTHROPIC_BASE_URL.'),
    ];
  },
};

function overTheNet(model: string, protocol: string, host: string): Finding {
  return protocol === 'https:'
    ? ok(`${model} at ${host}, with an API key`)
    : warning(`${host} is reached without encryption, the API key included`, 'Use an https address.');
}

function bindError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown error'));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

function answers({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      signal,
    });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
