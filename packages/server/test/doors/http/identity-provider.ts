// A real OpenID provider on loopback, and a browser that logs in there.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface IdentityProvider {
  readonly issuer: string;
  /** Registers Parley; call it once its address is known. */
  serve(client: { readonly callback: string; readonly secret?: string }): void;
  close(): Promise<void>;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    serve({ callback, secret }) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'parley',
            redirect_uris: [callback],
            ...(secret === undefined
              ? { token_endpoint_auth_method: 'none' }
              : { client_secret: secret, token_endpoint_auth_method: 'client_secret_basic' }),
          },
        ],
        pkce: { required: () => true },
        cookies: { keys: ['a key for this test'] },
      });
      const answer = provider.callback();
      listener = (request, response) => void answer(request, response);
    },
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Logs in at the provider as the subject, agrees, and returns where the provider sends the browser. */
export async function logInThere(start: string, subject: string): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    return { next: response.headers.get('location'), page: await response.text() };
  };
  const { origin } = new URL(start);
  let url = start;
  for (let steps = 0; steps < 20; steps += 1) {
    const { next, page } = await visit(url);
    if (next !== null) {
      url = new URL(next, url).href;
      if (new URL(url).origin !== origin) return url;
      continue;
    }
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    const sent = await visit(action, {
      prompt,
      ...(prompt === 'login' && { login: subject, password: 'any' }),
    });
    url = new URL(sent.next ?? '', url).href;
  }
  throw new Error('the provider never sent the browser back');
}
