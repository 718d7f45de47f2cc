// The texts of the pages that the server renders itself. They follow the language of the app.
import type { IncomingHttpHeaders } from 'node:http';
import { waitText } from '../../../content/waiting-time.ts';
import { passwordAdvice } from '../../../domain/weak-password.ts';

const english = {
  language: 'en',
  logInTitle: 'Log in to Parley',
  welcome: 'Welcome to Parley',
  logInHint: 'Log in with the family password.',
  accountHint: 'Log in to continue.',
  name: 'Name',
  /** HTML, like all of these. */
  withoutAccount: 'No account yet? Leave the name empty and use the family password.',
  usePasskey: 'Use a passkey',
  continueWith: (name: string) => `Continue with ${name}`,
  noPasskey: 'No passkey was used. Try again, or log in with your password.',
  noPasskeyMade: 'No passkey was created. Try again, or choose a password.',
  failed: 'That did not work. Try again in a moment.',
  invitationTitle: 'Your invitation to Parley',
  invitationHello: 'Hello NAME! Choose how you want to log in from now on.',
  invitationGone: 'This invitation was already used, was revoked or has expired. Ask for a new one.',
  oneMoment: 'One moment …',
  needsScript: 'Turn on JavaScript to accept an invitation.',
  newPassword: 'New password',
  passwordAdvice: 'A few unrelated words are easy to remember and hard to guess.',
  weakPassword: passwordAdvice,
  makeAccount: 'Create my account',
  passkeyInstead: 'Use a passkey instead',
  firstPasskey: 'First passkey',
  password: 'Password',
  logIn: 'Log in',
  logOut: 'Log out',
  demoPassword: 'This is a demo. The password is in the terminal where Parley runs.',
  /** What to say about a failed login, by status; otherwise the error's own sentence is shown. */
  logInProblems: {} as Readonly<Record<number, (seconds: number, withName: boolean) => string>>,
  isRunning: 'Parley is running',
  /** HTML. */
  home: (version: string, docs: string) =>
    `Version ${version}. You are logged in on this browser. See the <a href="${docs}">API reference</a>.`,
  demoHome: 'This is a demo: the answers are scripted.',
  connecting: 'Connecting LinkedIn',
  almostThere: 'Almost there',
  goOn: 'Continue',
  notLoggedIn: 'You are not logged in',
  /** HTML. */
  continue: (next: string) =>
    `Parley is connecting your LinkedIn account. <a href="${next}">Continue</a> if nothing happens.`,
  notConnected: 'LinkedIn is not connected',
  /** HTML. */
  tryAgain: (connect: string, home: string) =>
    `<a href="${connect}">Try again</a> or go <a href="${home}">back to Parley</a>.`,
  connected: 'LinkedIn is connected',
  /** HTML. */
  connectedFor: (person: string) =>
    `The assistant can now prepare posts and comments for ${person}. Nothing is published until you approve it.`,
  backToParley: 'Back to Parley',
  tooMany: {
    title: 'Too many requests',
    hint: (seconds: number) =>
      `Parley got too many requests from your network in the last minute. Reload this page ${waitText(seconds)}.`,
  },
  nothingHere: 'There is nothing at this address',
  linkGone: 'This link does not work',
  linkGoneHint: 'It has expired, was revoked or never existed. Ask whoever sent it for a new one.',
};

export type PageTexts = typeof english;

const german: PageTexts = {
  language: 'de',
  logInTitle: 'Bei Parley anmelden',
  welcome: 'Willkommen bei Parley',
  logInHint: 'Melde dich mit dem Familienpasswort an.',
  accountHint: 'Melde dich an, um fortzufahren.',
  name: 'Name',
  withoutAccount: 'Noch kein Konto? Lass den Namen leer und nimm das Familienpasswort.',
  usePasskey: 'Passkey verwenden',
  continueWith: (name) => `Weiter mit ${name}`,
  noPasskey: 'Es wurde kein Passkey verwendet. Versuch es noch einmal, oder nimm dein Passwort.',
  noPasskeyMade: 'Es wurde kein Passkey erstellt. Versuch es noch einmal, oder wähle ein Passwort.',
  failed: 'Das hat nicht geklappt. Versuch es gleich noch einmal.',
  invitationTitle: 'Deine Einladung zu Parley',
  invitationHello: 'Hallo NAME! Wähle, wie du dich ab jetzt anmelden möchtest.',
  invitationGone:
    'Diese Einladung wurde schon verwendet, widerrufen oder ist abgelaufen. Bitte um eine neue.',
  oneMoment: 'Einen Moment …',
  needsScript: 'Schalte JavaScript ein, um einer Einladung zu folgen.',
  newPassword: 'Neues Passwort',
  passwordAdvice: 'Ein paar Wörter ohne Zusammenhang sind leicht zu merken und schwer zu erraten.',
  weakPassword: {
    weak: 'Dieses Passwort ist leicht zu erraten.',
    short: 'Nimm für das Passwort mindestens 8 Zeichen.',
    long: 'Das Passwort ist zu lang.',
    common: 'Viele benutzen dieses Passwort oder ein ähnliches.',
    word: 'Einzelne Wörter und Namen sind leicht zu erraten.',
    personal: 'Lass deinen Namen und den Namen dieses Servers weg.',
    keyboard: 'Reihen und Muster auf der Tastatur sind leicht zu erraten.',
    repeated: 'Wiederholungen und Folgen wie aaa oder abc sind leicht zu erraten.',
    dates: 'Daten und Jahreszahlen sind leicht zu erraten.',
    disguised: 'Großbuchstaben und Ersetzungen wie @ für a helfen wenig.',
    words: 'Füge ein paar Wörter hinzu, die nichts miteinander zu tun haben.',
  },
  makeAccount: 'Konto anlegen',
  passkeyInstead: 'Lieber einen Passkey verwenden',
  firstPasskey: 'Erster Passkey',
  password: 'Passwort',
  logIn: 'Anmelden',
  logOut: 'Abmelden',
  demoPassword: 'Das ist eine Demo. Das Passwort steht im Terminal, in dem Parley läuft.',
  logInProblems: {
    400: () => 'Das Passwort ist leer oder zu lang.',
    401: (_, withName) =>
      withName ? 'Der Name oder das Passwort ist falsch.' : 'Das ist nicht das Familienpasswort.',
    429: (seconds) => `Zu viele falsche Passwörter. Versuch es ${inGerman(seconds)} noch einmal.`,
  },
  isRunning: 'Parley läuft',
  home: (version, docs) =>
    `Version ${version}. Du bist in diesem Browser angemeldet. Siehe die <a href="${docs}">API-Referenz</a>.`,
  demoHome: 'Das ist eine Demo: Die Antworten sind vorgegeben.',
  connecting: 'LinkedIn wird verbunden',
  almostThere: 'Fast geschafft',
  goOn: 'Weiter',
  notLoggedIn: 'Du bist nicht angemeldet',
  continue: (next) =>
    `Parley verbindet dein LinkedIn-Konto. <a href="${next}">Weiter</a>, falls nichts passiert.`,
  notConnected: 'LinkedIn ist nicht verbunden',
  tryAgain: (connect, home) =>
    `<a href="${connect}">Noch einmal versuchen</a> oder <a href="${home}">zurück zu Parley</a>.`,
  connected: 'LinkedIn ist verbunden',
  connectedFor: (person) =>
    `Der Assistent kann jetzt Beiträge und Kommentare für ${person} vorbereiten. Nichts wird veröffentlicht, bevor du zustimmst.`,
  backToParley: 'Zurück zu Parley',
  tooMany: {
    title: 'Zu viele Anfragen',
    hint: (seconds) =>
      `Aus deinem Netz kamen in der letzten Minute zu viele Anfragen. Lade diese Seite ${inGerman(seconds)} neu.`,
  },
  nothingHere: 'Unter dieser Adresse gibt es nichts',
  linkGone: 'Dieser Link funktioniert nicht',
  linkGoneHint:
    'Er ist abgelaufen, wurde widerrufen, oder es gab ihn nie. Bitte die Person, von der du ihn hast, um einen neuen.',
};

function inGerman(seconds: number): string {
  const format = new Intl.RelativeTimeFormat('de');
  return seconds < 120 ? format.format(seconds, 'second') : format.format(Math.ceil(seconds / 60), 'minute');
}

const available: Readonly<Record<string, PageTexts>> = { en: english, de: german };

/** The language chosen in the app, otherwise the available one that the browser likes best, otherwise English. */
export function textsFor({ headers }: { headers: IncomingHttpHeaders }): PageTexts {
  const [, chosen = ''] = /(?:^|;\s*)parley_language=([\w-]+)/.exec(headers.cookie ?? '') ?? [];
  if (Object.hasOwn(available, chosen)) return available[chosen] ?? english;
  const wanted = (headers['accept-language'] ?? '')
    .split(',', 20)
    .map((entry) => {
      const [tag = '', ...parameters] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { language: tag.split('-')[0] ?? '', quality: Number(quality) || 0 };
    })
    .filter(({ language, quality }) => quality > 0 && Object.hasOwn(available, language))
    .toSorted((a, b) => b.quality - a.quality);
  return available[wanted[0]?.language ?? 'en'] ?? english;
}
