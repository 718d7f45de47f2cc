// A page that the server renders itself. Its policy allows only our own script, where the page needs it, and the app's
// font.

import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../../content/escape-html.ts';
import type { PageStyle } from './page-style.ts';

declare module 'fastify' {
  interface FastifyInstance {
    pageStyle: PageStyle;
  }
}

export interface Page {
  /** Such as `de`. */
  readonly language: string;
  readonly title: string;
  /** Trusted HTML: pass text through `escapeHtml` first. */
  readonly body: string;
  /** Whether the page sends a form to this server. */
  readonly hasForm?: true;
  /** For pages that use the script at `/login/script.js`. */
  readonly script?: { readonly basePath: string };
}

export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const style = reply.server.pageStyle;
  return reply
    .code(status)
    .headers(headersOf(page, style))
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(render(page, style));
}

function render({ language, title, body, script }: Page, style: PageStyle): string {
  const base = script && escapeHtml(script.basePath);
  return `<!doctype html>
<html lang="${language}"${base === undefined ? '' : ` data-base="${base}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style.css}</style>${base === undefined ? '' : `\n<script type="module" src="${base}/login/script.js"></script>`}
</head>
<body>
<main>
<p class="mark" aria-hidden="true"><svg viewBox="0 0 32 32"><rect width="32" height="32" rx="9"/><path d="M8 9.5h11a3 3 0 0 1 3 3v3a3 3 0 0 1-3 3h-6l-4 3.6v-3.6H8z"/><circle cx="23.5" cy="22.5" r="3" opacity=".75"/></svg></p>
${body}
</main>
</body>
</html>
`;
}

function headersOf({ hasForm, script }: Page, style: PageStyle) {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${style.hash}'`,
      ...(style.hasFont ? ["font-src 'self'"] : []),
      ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
      "base-uri 'none'",
      `form-action ${hasForm ? "'self'" : "'none'"}`,
      "frame-ancestors 'none'",
    ].join('; '),
    // Without a referrer, browsers submit forms without an origin, and the policy would refuse them.
    ...(hasForm && { 'referrer-policy': 'same-origin' }),
    vary: 'accept-language, cookie',
  };
}
