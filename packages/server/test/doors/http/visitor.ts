// A browser without a page: keeps its cookies, and sends JSON.
import type { DoorHarness } from './door-harness.ts';

export interface Visitor {
  /** Sends JSON if there is a body; keeps the cookies that come back. */
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  readonly cookie: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, never>;
  readonly text: string;
  /** Where it redirects to. */
  readonly location: string;
}

export function visit({ url }: Pick<DoorHarness, 'url'>): Visitor {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    get cookie() {
      return cookies();
    },
    async send(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          cookie: cookies(),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      const text = await response.text();
      return {
        status: response.status,
        body: text.startsWith('{') ? JSON.parse(text) : {},
        text,
        location: response.headers.get('location') ?? '',
      };
    },
  };
}
