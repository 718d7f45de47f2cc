// The pages shown on the way back from LinkedIn's consent page.
import { escapeHtml, type Page } from '../web-app/page.ts';
import type { PageTexts } from '../web-app/page-texts.ts';

/** Redirects by itself. The next request comes from our own site, so the browser sends the login cookie. */
export function cameBackPage(next: string, texts: PageTexts): Page {
  const path = escapeHtml(next);
  return {
    language: texts.language,
    title: texts.connecting,
    body: `<meta http-equiv="refresh" content="0; url=${path}">
<h1>${texts.almostThere}</h1>
<p>${texts.continue(path)}</p>`,
  };
}

export function notConnectedPage(problem: string, basePath: string, texts: PageTexts): Page {
  const home = `${escapeHtml(basePath)}/`;
  return {
    language: texts.language,
    title: texts.notConnected,
    body: `<h1>${texts.notConnected}</h1>
<p>${escapeHtml(problem)}</p>
<p>${texts.tryAgain(`${home}api/linkedin/connect`, home)}</p>`,
  };
}

export function connectedPage(person: string, basePath: string, texts: PageTexts): Page {
  return {
    language: texts.language,
    title: texts.connected,
    body: `<h1>${texts.connected}</h1>
<p>${texts.connectedFor(escapeHtml(person))}</p>
<p><a href="${escapeHtml(basePath)}/">${texts.backToParley}</a></p>`,
  };
}
