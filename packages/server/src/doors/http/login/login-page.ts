// The login form, shown instead of any page until somebody has logged in. It asks for the family password alone until
// somebody has an account.
import { escapeHtml } from '../../../content/escape-html.ts';
import type { Page } from '../web-app/page.ts';
import type { PageTexts } from '../web-app/page-texts.ts';

export interface LoginPage {
  readonly texts: PageTexts;
  readonly demo: boolean;
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
  /** Whether anybody has an account. */
  readonly hasAccounts: boolean;
  /** The identity provider, if one is configured. */
  readonly openId: { readonly name: string } | undefined;
  /** Where to go afterwards. */
  readonly next: string;
  /** Why the last attempt failed. */
  readonly problem?: string;
  /** The name that was entered. */
  readonly name?: string;
}

export function loginPage(page: LoginPage): Page {
  return page.hasAccounts ? accountsPage(page) : familyPage(page);
}

function familyPage({ texts, demo, basePath, next, problem }: LoginPage): Page {
  return {
    language: texts.language,
    title: texts.logInTitle,
    hasForm: true,
    body: `<h1>${texts.welcome}</h1>
<p>${texts.logInHint}</p>
<form method="post" action="${escapeHtml(basePath)}/login">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${described(problem)}>
${problem === undefined ? '' : `<p class="bad" id="problem" role="alert">${escapeHtml(problem)}</p>`}
<input type="hidden" name="next" value="${escapeHtml(next)}">
<button type="submit">${texts.logIn}</button>
</form>
${demo ? `<p class="demo">${texts.demoPassword}</p>` : ''}`,
  };
}

function accountsPage({ texts, demo, basePath, openId, next, problem, name = '' }: LoginPage): Page {
  const base = escapeHtml(basePath);
  const focus = (isHere: boolean) => (isHere ? ' autofocus' : '');
  return {
    language: texts.language,
    title: texts.logInTitle,
    hasForm: true,
    script: { basePath },
    body: `<h1>${texts.welcome}</h1>
<p>${texts.accountHint}</p>
<form id="log-in" method="post" action="${base}/login" data-failed="${texts.failed}" data-dismissed="${texts.noPasskey}">
<label for="person">${texts.name}</label>
<input id="person" name="person" autocomplete="username" autocapitalize="none" spellcheck="false" value="${escapeHtml(name)}"${focus(name === '')} aria-describedby="without">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${focus(name !== '')}${described(problem)}>
<p class="bad" id="problem" role="alert"${problem === undefined ? ' hidden' : ''}>${escapeHtml(problem ?? '')}</p>
<input type="hidden" name="next" value="${escapeHtml(next)}">
<button type="submit">${texts.logIn}</button>
<button type="button" class="quiet" id="passkey" hidden>${texts.usePasskey}</button>
${openId ? `<a class="button quiet" href="${base}/login/openid?next=${encodeURIComponent(next)}">${escapeHtml(texts.continueWith(openId.name))}</a>` : ''}
<p class="small" id="without">${texts.withoutAccount}</p>
</form>
${demo ? `<p class="demo">${texts.demoPassword}</p>` : ''}`,
  };
}

/** The page of an invitation. Its secret is in the fragment, so only the script knows it. */
export function invitationPage({
  texts,
  basePath,
  openId,
}: Pick<LoginPage, 'texts' | 'basePath' | 'openId'>): Page {
  return {
    language: texts.language,
    title: texts.invitationTitle,
    hasForm: true,
    script: { basePath },
    body: `<h1>${texts.welcome}</h1>
<p id="hello">${texts.oneMoment}</p>
<noscript><p>${texts.needsScript}</p></noscript>
<form id="invitation" method="post" data-hello="${texts.invitationHello}" data-gone="${texts.invitationGone}" data-failed="${texts.failed}" data-dismissed="${texts.noPasskeyMade}" data-first="${texts.firstPasskey}">
<div id="choices" hidden>
<input id="person" name="person" autocomplete="username" readonly hidden>
<label for="password">${texts.newPassword}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" autofocus aria-describedby="problem advice">
<p class="bad" id="problem" role="alert" hidden></p>
<p class="small" id="advice">${texts.passwordAdvice}</p>
<button type="submit">${texts.makeAccount}</button>
<button type="button" class="quiet" id="passkey" hidden>${texts.passkeyInstead}</button>
${openId ? `<button type="button" class="quiet" id="openid" hidden>${escapeHtml(texts.continueWith(openId.name))}</button>` : ''}
</div>
</form>`,
  };
}

function described(problem: string | undefined): string {
  return problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"';
}
