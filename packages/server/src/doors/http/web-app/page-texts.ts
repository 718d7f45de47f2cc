// The texts of the pages that the server renders itself, in the language the browser asks for.

const english = {
  language: 'en',
  logInTitle: 'Log in to Parley',
  welcome: 'Welcome to Parley',
  logInHint: 'Log in with the family password.',
  password: 'Password',
  logIn: 'Log in',
  logOut: 'Log out',
  demoPassword: 'This is a demo. The password is in the terminal where Parley runs.',
  /** What to say about a failed login, by status; otherwise the error's own sentence is shown. */
  logInProblems: {} as Readonly<Record<number, (seconds: number) => string>>,
  isRunning: 'Parley is running',
  /** HTML. */
  home: (version: string, docs: string) =>
    `Version ${version}. You are logged in on this browser. See the <a href="${docs}">API reference</a>.`,
  demoHome: 'This is a demo: the answers are scripted.',
  connecting: 'Connecting LinkedIn',
  almostThere: 'Almost there',
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
};

export type PageTexts = typeof english;

const german: PageTexts = {
  language: 'de',
  logInTitle: 'Bei Parley anmelden',
  welcome: 'Willkommen bei Parley',
  logInHint: 'Melde dich mit dem Familienpasswort an.',
  password: 'Passwort',
  logIn: 'Anmelden',
  logOut: 'Abmelden',
  demoPassword: 'Das ist eine Demo. Das Passwort steht im Terminal, in dem Parley läuft.',
  logInProblems: {
    400: () => 'Das Passwort ist leer oder zu lang.',
    401: () => 'Das ist nicht das Familienpasswort.',
    429: (seconds) => `Zu viele falsche Passwörter. Versuch es ${inTime(seconds)} noch einmal.`,
  },
  isRunning: 'Parley läuft',
  home: (version, docs) =>
    `Version ${version}. Du bist in diesem Browser angemeldet. Siehe die <a href="${docs}">API-Referenz</a>.`,
  demoHome: 'Das ist eine Demo: Die Antworten sind vorgegeben.',
  connecting: 'LinkedIn wird verbunden',
  almostThere: 'Fast geschafft',
  continue: (next) =>
    `Parley verbindet dein LinkedIn-Konto. <a href="${next}">Weiter</a>, falls nichts passiert.`,
  notConnected: 'LinkedIn ist nicht verbunden',
  tryAgain: (connect, home) =>
    `<a href="${connect}">Noch einmal versuchen</a> oder <a href="${home}">zurück zu Parley</a>.`,
  connected: 'LinkedIn ist verbunden',
  connectedFor: (person) =>
    `Der Assistent kann jetzt Beiträge und Kommentare für ${person} vorbereiten. Nichts wird veröffentlicht, bevor du zustimmst.`,
  backToParley: 'Zurück zu Parley',
};

function inTime(seconds: number): string {
  const format = new Intl.RelativeTimeFormat('de');
  return seconds < 120 ? format.format(seconds, 'second') : format.format(Math.ceil(seconds / 60), 'minute');
}

const available: Readonly<Record<string, PageTexts>> = { en: english, de: german };

/** The available language that the browser likes best; English if there is none. */
export function textsFor({ headers }: { headers: { 'accept-language'?: string | undefined } }): PageTexts {
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
