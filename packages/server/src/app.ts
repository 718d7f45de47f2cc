// The composition root: builds the parts of Parley from its configuration and starts them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from './config/schema.ts';
import type { Logger } from './domain/logger.ts';

export interface App {
  readonly url: string;
  readonly hints: readonly string[];
  close(): Promise<void>;
}

export async function startApp({ config, logger }: { config: Config; logger: Logger }): Promise<App> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/healthz' ? 200 : 404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  logger.info({ url }, 'ready');
  return {
    url,
    hints: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
