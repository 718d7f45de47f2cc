// The Anthropic API as a loopback service.
import { listenOnLoopback } from '../loopback-server.ts';
import { AnthropicApi, type ApiOptions } from './api.ts';

export type AnthropicServiceOptions = ApiOptions & {
  /** 0, the default, picks a free port. */
  readonly port?: number;
};

export type AnthropicService = {
  /** For `ANTHROPIC_BASE_URL`, or the SDK's `baseURL`. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
};

export async function startAnthropicService(options: AnthropicServiceOptions): Promise<AnthropicService> {
  const closing = new AbortController();
  const api = new AnthropicApi(options, closing.signal);
  const server = await listenOnLoopback((request, response) => {
    void api.handle(request, response);
  }, options.port);
  return {
    url: server.url,
    port: server.port,
    close() {
      closing.abort(new Error('the service closed'));
      return server.close();
    },
  };
}
