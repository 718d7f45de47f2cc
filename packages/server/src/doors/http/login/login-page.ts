// The login form, shown instead of any page until somebody has logged in.
import { escapeHtml, type Page } from '../web-app/page.ts';
import type { PageTexts } from '../web-app/page-texts.ts';

export interface LoginPage {
  readonly texts: PageTexts;
  readonly demo: boolean;
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
  /** Where to go afterwards. */
  readonly next: string;
  /** Why the last attempt failed. */
  readonly problem?: string;
}

export function loginPage({ texts, demo, basePath, next, problem }: LoginPage): Page {
  const described = problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"';
  return {
    language: texts.language,
    title: texts.logInTitle,
    hasForm: true,
    body: `<h1>${texts.welcome}</h1>
<p>${texts.logInHint}</p>
<form method="post" action="${escapeHtml(basePath)}/login">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${described}>
${problem === undefined ? '' : `<p class="bad" id="problem" role="alert">${escapeHtml(problem)}</p>`}
<input type="hidden" name="next" value="${escapeHtml(next)}">
<button type="submit">${texts.logIn}</button>
</form>
${demo ? `<p class="demo">${texts.demoPassword}</p>` : ''}`,
  };
}
