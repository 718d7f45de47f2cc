// The login form, which stands in for any page until somebody has logged in.
import { escapeHtml, type Page } from '../web-app/page.ts';

export interface LoginPage {
  readonly demo: boolean;
  /** The path below which Parley is reached. */
  readonly basePath: string;
  /** Where to go afterwards. */
  readonly next: string;
  /** Why the last try did not work. */
  readonly problem?: string;
}

export function loginPage({ demo, basePath, next, problem }: LoginPage): Page {
  const described = problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"';
  return {
    title: 'Log in to Parley',
    body: `<h1>Welcome to Parley</h1>
<p>Log in with the family password.</p>
<form method="post" action="${escapeHtml(basePath)}/login">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${described}>
${problem === undefined ? '' : `<p class="bad" id="problem" role="alert">${escapeHtml(problem)}</p>`}
<input type="hidden" name="next" value="${escapeHtml(next)}">
<button type="submit">Log in</button>
</form>
${demo ? '<p class="demo">This is a demo. The password stands in the terminal that runs it.</p>' : ''}`,
  };
}
