// A page that stands on its own: no scripts, no outside files, and a policy that allows none.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

export interface Page {
  readonly title: string;
  /** Trusted HTML: put text through `escapeHtml` first. */
  readonly body: string;
}

export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(render(page));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function render({ title, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="mark" aria-hidden="true"><svg viewBox="0 0 48 48"><path d="M8 12a6 6 0 0 1 6-6h20a6 6 0 0 1 6 6v14a6 6 0 0 1-6 6H22L12 41v-9.3A6 6 0 0 1 8 26z"/><circle cx="17" cy="19" r="2.5"/><circle cx="24" cy="19" r="2.5"/><circle cx="31" cy="19" r="2.5"/></svg></p>
${body}
</main>
</body>
</html>
`;
}

const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f3ee, #17161a);
  --card: light-dark(#ffffff, #211f26);
  --ink: light-dark(#26232b, #efecf3);
  --quiet: light-dark(#67616f, #aaa3b5);
  --line: light-dark(#b9b2bf, #5b5566);
  --accent: light-dark(#7a3e1d, #e8a87c);
  --on-accent: light-dark(#ffffff, #2a1406);
  --bad: light-dark(#a3192b, #ff9aa5);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif;
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink) }
main { width: 100%; max-width: 24rem; padding: 2.25rem 2rem; background: var(--card); border-radius: 1.25rem; box-shadow: 0 1px 2px #0001, 0 12px 40px #0002 }
.mark { margin: 0 0 1rem }
.mark svg { width: 3rem; height: 3rem; fill: var(--accent) }
.mark circle { fill: var(--card) }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em }
p { margin: 0 0 1.25rem; color: var(--quiet) }
form { display: grid; gap: .5rem }
label { font-weight: 600; font-size: .9rem }
input { width: 100%; padding: .7rem .85rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .65rem }
input[aria-invalid] { border-color: var(--bad) }
button { margin-top: .75rem; padding: .75rem 1rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .65rem; cursor: pointer }
button.quiet { color: inherit; background: transparent; border: 1px solid var(--line) }
button:hover { filter: brightness(1.08) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
.bad { margin: 0; color: var(--bad); font-size: .9rem }
.demo { margin: 1.25rem 0 0; padding: .6rem .85rem; border: 1px dashed var(--line); border-radius: .65rem; font-size: .9rem }
`;

const styleHash = createHash('sha256').update(style).digest('base64');
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Without a referrer a browser would name no origin when a form is sent, and the policy would refuse it.
  'referrer-policy': 'same-origin',
};
