// The pages shown on the way back from LinkedIn's consent page.
import { escapeHtml, type Page } from '../web-app/page.ts';

/** Redirects by itself. The next request comes from our own site, so the browser sends the login cookie. */
export function cameBackPage(next: string): Page {
  const path = escapeHtml(next);
  return {
    title: 'Connecting LinkedIn',
    body: `<meta http-equiv="refresh" content="0; url=${path}">
<h1>Almost there</h1>
<p>Parley is connecting your LinkedIn account. <a href="${path}">Continue</a> if nothing happens.</p>`,
  };
}

export function notConnectedPage(problem: string, basePath: string): Page {
  return {
    title: 'LinkedIn is not connected',
    body: `<h1>LinkedIn is not connected</h1>
<p>${escapeHtml(problem)}</p>
<p><a href="${escapeHtml(basePath)}/api/linkedin/connect">Try again</a> or go <a href="${escapeHtml(basePath)}/">back to Parley</a>.</p>`,
  };
}

export function connectedPage(person: string, basePath: string): Page {
  return {
    title: 'LinkedIn is connected',
    body: `<h1>LinkedIn is connected</h1>
<p>The assistant can now prepare posts and comments for ${escapeHtml(person)}. Nothing is published until you approve it.</p>
<p><a href="${escapeHtml(basePath)}/">Back to Parley</a></p>`,
  };
}
