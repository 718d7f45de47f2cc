// The page shown after login if the web app isn't built.
import { escapeHtml, type Page } from './page.ts';
import type { PageTexts } from './page-texts.ts';

export interface HomePage {
  readonly demo: boolean;
  readonly version: string;
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
}

export function homePage({ demo, version, basePath }: HomePage, texts: PageTexts): Page {
  const at = escapeHtml(basePath);
  return {
    language: texts.language,
    title: 'Parley',
    body: `<h1>${texts.isRunning}</h1>
<p>${texts.home(escapeHtml(version), `${at}/api/docs`)}</p>
<form method="post" action="${at}/logout">
<button type="submit" class="quiet">${texts.logOut}</button>
</form>
${demo ? `<p class="demo">${texts.demoHome}</p>` : ''}`,
  };
}
