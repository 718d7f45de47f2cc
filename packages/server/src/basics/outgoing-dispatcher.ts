// Makes undici connect the way outgoing.ts does.
import type { Agent, RequestInit as UndiciRequest } from 'undici';
import type { Outgoing } from './outgoing.ts';

/** Routes each origin: directly with these options, or through its proxy. Loads undici on first use. */
export async function outgoingDispatcher(
  { proxyFor }: Pick<Outgoing, 'proxyFor'>,
  options: Agent.Options = {},
): Promise<Agent> {
  const { Agent, Pool, ProxyAgent } = await import('undici');
  return new Agent({
    ...options,
    factory(origin, poolOptions) {
      const proxy = proxyFor(new URL(origin));
      if (proxy === undefined) return new Pool(origin, poolOptions);
      const { url, authorization } = proxy;
      // Proxies often allow tunnels only for https.
      return new ProxyAgent({
        uri: url.href,
        proxyTunnel: false,
        ...(authorization !== undefined && { token: authorization }),
      });
    },
  });
}

/** For libraries that take a `fetch`. Loads undici only where a proxy is used. */
export function outgoingFetch(outgoing: Pick<Outgoing, 'proxyFor'>): typeof fetch {
  let dispatcher: Promise<Agent> | undefined;
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    if (outgoing.proxyFor(new URL(url)) === undefined) return fetch(input, init);
    const undici = await import('undici');
    dispatcher ??= outgoingDispatcher(outgoing);
    // The types of undici and Node differ, but the classes do the same.
    const options = { ...init, dispatcher: await dispatcher } as UndiciRequest;
    return undici.fetch(url, options);
  };
}
