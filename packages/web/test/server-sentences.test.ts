// What the server says, as the app says it in German, with the catalogs that are delivered.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileCatalog } from '../scripts/catalog-plugin.ts';
import { errorText } from '../src/i18n/error-text.ts';
import { learnSentences, serverFacts, serverText, translatedSentence } from '../src/i18n/server-text.ts';
import { i18n } from '../src/i18n/translate.ts';
import { problemText } from '../src/settings/form/problems.ts';

const locales = join(import.meta.dirname, '../locales');

function catalog(file: string): typeof i18n.messages {
  return compileCatalog(readFileSync(join(locales, file), 'utf8')) as typeof i18n.messages;
}

beforeEach(() => {
  const sentences = catalog('server/de.po');
  learnSentences(Object.keys(sentences));
  i18n.loadAndActivate({ locale: 'de', messages: { ...sentences, ...catalog('de.po') } });
});
afterEach(() => {
  learnSentences([]);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

describe('a sentence of the server in German', () => {
  it('has its values as the language writes them [team.app.language]', () => {
    const warning =
      'The daily budget for everybody is 87 % used: $1,100.00 of $1,250.50. It resets on November 18 at 00:00 UTC.';
    expect(serverText(warning)).toBe(
      'Das Tagesbudget für alle ist zu 87 % verbraucht: 1.100,00\u00A0$ von 1.250,50\u00A0$. Es beginnt am 18. November um 00:00 Uhr UTC von vorn.',
    );
    expect(serverText('75.3 GB free')).toBe('75,3 GB frei');
    const usedUp =
      'The monthly budget for petra is used up: 20,400 of 20,000 tokens. It resets on December 1 at 00:00 UTC. An owner can raise it in the settings.';
    expect(serverText(usedUp)).toBe(
      'Das Monatsbudget für petra ist aufgebraucht: 20.400 von 20.000 Tokens. Es beginnt am 1. Dezember um 00:00 Uhr UTC von vorn. Eigentümer können es in den Einstellungen erhöhen.',
    );
  });

  it('says what exactly is wrong, instead of only its kind [team.app.language]', () => {
    const message =
      'This setting starts programs or lets others in, so it needs an owner with an account. Protect your own account first, or edit parley.config.json.';
    expect(errorText({ code: 'forbidden', message })).toContain('Schütze zuerst dein Konto');
    expect(errorText({ code: 'rate_limited', message: 'Too many requests. Try again in 3 minutes.' })).toBe(
      'Zu viele Anfragen. Versuch es in 3 Minuten noch einmal.',
    );
  });

  it('says why an answer was cut off or did not begin [team.app.language]', () => {
    const cutOff = 'The server stopped while this was being answered. Send it again if you still need it.';
    expect(errorText({ code: 'unavailable', message: cutOff })).toContain('Der Server wurde beendet');
    const notStarted =
      'Parley could not write to its database, so the turn did not start. Run `parley doctor`.';
    expect(errorText({ code: 'unavailable', message: notStarted })).toContain('Führ `parley doctor` aus');
  });

  it('says why the claude program failed, with what it wrote [team.app.language]', () => {
    const crashed = 'The program was ended by SIGKILL in the middle of a turn.';
    const errorOf = (message: string) => errorText({ code: 'unavailable', message });
    expect(errorOf(`${crashed} Send the message again to continue.`)).toBe(
      'Das Programm wurde mitten in einer Antwort durch SIGKILL beendet. Schick die Nachricht noch einmal, um weiterzumachen.',
    );
    expect(
      errorOf(`${crashed} It wrote “out of\nmemory” to stderr. Send the message again to continue.`),
    ).toContain('Auf stderr schrieb es: „out of\nmemory“. Schick');
    expect(
      errorOf('The program exited with code 2 before it was ready. It wrote “no key” to stderr.'),
    ).toContain('mit Code 2 beendet, bevor es bereit war. Auf stderr');
  });

  it('has no English words in it [team.app.language]', () => {
    expect(serverText('"a.png" is a PNG image of 70 bytes. Only text can be read.')).toBe(
      '„a.png“ ist ein PNG-Bild mit 70 Bytes. Nur Text kann gelesen werden.',
    );
    expect(serverText('a key belongs to ben, who is not one of the people')).toBe(
      'ein Schlüssel gehört ben, aber dieser Name steht nicht in people',
    );
    expect(serverText('There is no such model here. Choose from: claude-first.')).toBe(
      'Dieses Modell gibt es hier nicht. Wähle aus: claude-first.',
    );
  });

  it('explains what is wrong with a setting, without hints that are only in English [team.app.language]', () => {
    const problem = {
      key: 'budgets',
      message: 'expected 0 or more, found -3',
      hint: 'How much may be spent.',
    };
    expect(problemText(problem, 'budgets')).toBe('Mindestens 0 ist nötig, gefunden: -3.');
    const wrong = { ...problem, message: 'expected a whole number, found an empty string' };
    expect(problemText({ ...wrong, hint: 'Choose strict, normal or off.' }, 'budgets')).toBe(
      'Hier gehört eine ganze Zahl hin, gefunden: nichts. Wähle strict, normal oder off.',
    );
  });

  it('stays English if the catalog does not have it, and says at least its kind [team.app.language]', () => {
    expect(translatedSentence('Nobody knows, found 12 tokens.')).toBeUndefined();
    expect(serverText('Something new.')).toBe('Something new.');
    expect(errorText({ code: 'forbidden', message: 'Something new.' })).toBe('Das darfst du nicht.');
    expect(errorText({ code: 'invalid', message: 'Something new.' })).toBe('Something new.');
  });

  it('covers what health checks find, what tests in the settings find, and the audit log [team.app.language]', () => {
    expect(serverText('the check failed: it took too long')).toBe(
      'die Prüfung ist fehlgeschlagen: das hat zu lange gedauert',
    );
    expect(serverText('not used: limits.tools: expected 1 or more, found 0')).toBe(
      'wird nicht verwendet: limits.tools: mindestens 1 ist nötig, gefunden: 0',
    );
    expect(serverText('ended with code 7: no flour in the house')).toBe(
      'beendet mit Code 7: no flour in the house',
    );
    expect(serverFacts('for petra; read-only; until 2027-01-01T00:00:00.000Z')).toBe(
      'für petra; nur lesend; bis 2027-01-01T00:00:00.000Z',
    );
    expect(serverFacts('member → owner')).toBe('Mitglied → Eigentümer');
    expect(serverFacts('$1,250.50')).toBe('1.250,50\u00A0$');
  });

  it('keeps names and paths as they are [team.app.language]', () => {
    expect(serverText('/notes for petra is not a folder')).toBe('/notes for petra ist kein Ordner');
    expect(serverText('C:\\x41 {a} is not a folder.')).toBe('C:\\x41 {a} ist kein Ordner.');
    const template =
      'The template, with `{{message}}` for the text of the message and `{{workspace}}` for the folder.';
    expect(serverText(template)).toBe(
      'Die Vorlage, mit `{{message}}` für den Text der Nachricht und `{{workspace}}` für den Ordner.',
    );
  });
});
