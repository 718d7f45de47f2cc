// What a browser sees after login where no app is installed: that all is well, and where to go on.
import { escapeHtml, type Page } from './page.ts';

export function homePage({ demo, version }: { readonly demo: boolean; readonly version: string }): Page {
  return {
    title: 'Parley',
    body: `<h1>Parley is running</h1>
<p>Version ${escapeHtml(version)}. You are logged in on this browser. What it can do is in the <a href="/api/docs">description of its API</a>.</p>
<form method="post" action="/logout">
<button type="submit" class="quiet">Log out</button>
</form>
${demo ? '<p class="demo">This is a demo: a scripted stand-in answers.</p>' : ''}`,
  };
}
