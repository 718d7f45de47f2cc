// Headers that keep browsers from doing anything with a response except showing it.
import type { App } from '../app.ts';

const securityHeaders = {
  // Most responses are data. A page that needs more sets its own policy.
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  // Without subdomains: a household's other services may not speak TLS. Browsers ignore it on plain HTTP.
  'strict-transport-security': 'max-age=15552000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/** Register it before every other hook, so that refusals carry the headers too. Routes may override them. */
export function addSecurityHeaders(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders);
    done();
  });
}
