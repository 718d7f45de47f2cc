// Headers that keep browsers from doing more with an answer than showing it.
import type { App } from '../app.ts';

const securityHeaders = {
  // Answers are data. A page that needs more says so in its own route.
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  // Only for this name: a household's other services may not speak TLS. Browsers heed it over TLS alone.
  'strict-transport-security': 'max-age=15552000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/** Comes before every other hook, so that refusals carry them too; routes may replace what they need to. */
export function addSecurityHeaders(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders);
    done();
  });
}
