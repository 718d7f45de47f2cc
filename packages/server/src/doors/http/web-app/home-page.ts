// The page shown after login if the web app isn't built.
import { escapeHtml, type Page } from './page.ts';

export interface HomePage {
  readonly demo: boolean;
  readonly version: string;
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
}

export function homePage({ demo, version, basePath }: HomePage): Page {
  const at = escapeHtml(basePath);
  return {
    title: 'Parley',
    body: `<h1>Parley is running</h1>
<p>Version ${escapeHtml(version)}. You are logged in on this browser. What it can do is in the <a href="${at}/api/docs">description of its API</a>.</p>
<form method="post" action="${at}/logout">
<button type="submit" class="quiet">Log out</button>
</form>
${demo ? '<p class="demo">This is a demo: a scripted stand-in answers.</p>' : ''}`,
  };
}
