// Checks the message catalogs of a small web app and server, with every violation planted in them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateCatalogs } from '../scripts/message-catalogs.mjs';

const good = {
  'page.tsx': `
    export const names = { off: () => t('off') };
    export function Page({ title }: { title: string }) {
      return <p title={t('Delete {title}?', { title })}><Trans message="Set <code>KEY</code>" tags={{ code: <code /> }} /></p>;
    }`,
  'count.ts': `export const text = (count: number) => t('{count, plural, one {# day} other {# days}}', { count });`,
};
const german = {
  off: 'aus',
  'Delete {title}?': '{title} löschen?',
  'Set <code>KEY</code>': 'Setze <code>KEY</code>',
  '{count, plural, one {# day} other {# days}}': '{count, plural, one {# Tag} other {# Tage}}',
};

let packages: string;

beforeEach(() => {
  packages = mkdtempSync(join(tmpdir(), 'parley-messages-'));
  for (const folder of [
    'web/src',
    'web/locales/server',
    'server/src/gateway',
    'server/src/cli',
    'claude-cli/src',
  ])
    mkdirSync(join(packages, folder), { recursive: true });
  for (const [file, code] of Object.entries(good)) write(file, code);
  for (const language of ['en', 'de']) write(`../locales/${language}.po`, '');
  updateCatalogs(packages, { checking: false });
  translate(german);
});

afterEach(() => rmSync(packages, { recursive: true, force: true }));

describe('collecting the texts', () => {
  it('writes catalogs that pass the check once they are translated', () => {
    expect(read('../locales/en.po')).toContain(
      '#: page.tsx\nmsgid "Delete {title}?"\nmsgstr "Delete {title}?"',
    );
    expect(updateCatalogs(packages, { checking: true })).toEqual({ problems: [], count: 4 });
  });

  it('keeps translations, adds new texts and drops those that are gone', () => {
    write('count.ts', `export const text = () => t('None');`);
    updateCatalogs(packages, { checking: false });
    expect(read('../locales/de.po')).toContain('msgid "None"\nmsgstr ""');
    expect(read('../locales/de.po')).toContain('msgstr "{title} löschen?"');
    expect(read('../locales/de.po')).not.toContain('plural');
  });

  it('keeps the translation of a text whose placeholder was renamed', () => {
    write('page.tsx', good['page.tsx'].replaceAll('title', 'name'));
    updateCatalogs(packages, { checking: false });
    expect(read('../locales/de.po')).toContain('msgid "Delete {name}?"\nmsgstr "{name} löschen?"');
  });

  it('fills a new, empty file with the texts to translate', () => {
    write('../locales/fr.po', '');
    updateCatalogs(packages, { checking: false });
    expect(read('../locales/fr.po')).toContain('msgid "off"\nmsgstr ""');
  });
});

describe('the sentences of the server', () => {
  const path = '../locales/server/de.po';
  const code = `
    throw new ParleyError('busy', \`All \${most} of \${names.join(', ')} are busy.\`);
    throw new ParleyError('invalid', isEmpty ? 'It is empty.' : 'It is' + ' wrong.', { cause });
    const limit = say\`\${count} tokens\`;
    const notice = { type: 'notice', code: 'late', message: 'It is late.' };
    const other = { message: 'not for people', hint: 'Send {"a": 1}.' };`;

  it('are collected with the names of their values, into catalogs of their own [team.app.language]', () => {
    write(path, '');
    write('../../server/src/gateway/busy.ts', code);
    write(
      '../../server/src/cli/help.ts',
      `throw new ParleyError('invalid', 'Only on the command line.'); ok(say\`\${free} free\`);`,
    );
    updateCatalogs(packages, { checking: false });
    const texts = Array.from(read(path).matchAll(/^msgid "(.+)"$/gm), ([, text]) => text);
    expect(texts).toEqual([
      'All {most} of {names} are busy.',
      'It is empty.',
      'It is late.',
      'It is wrong.',
      '{count} tokens',
      '{free} free',
    ]);
    expectProblem('de.po: "It is late." has no translation.');
    expect(read('../locales/de.po')).not.toContain('It is late.');
  });

  it('include what the driver says when the program fails, but not what it says to programmers', () => {
    write(path, '');
    write(
      '../../claude-cli/src/run.ts',
      `
      throw new ClaudeCliError('illegal_move', 'The input was closed.');
      throw new ClaudeCliError(code, \`\${message} It wrote “\${stderr}”.\`);
      this.fail('crashed', isBusy ? 'It crashed while it was busy.' : \`It crashed: \${signal}.\`, end);`,
    );
    updateCatalogs(packages, { checking: false });
    const texts = Array.from(read(path).matchAll(/^msgid "(.+)"$/gm), ([, text]) => text);
    expect(texts).toEqual([
      'It crashed while it was busy.',
      'It crashed: {signal}.',
      '{message} It wrote “{stderr}”.',
    ]);
  });
});

describe('the check', () => {
  it('finds a text that was not collected', () => {
    write('more.ts', `export const text = () => t('New');`);
    expectProblem('de.po: "New" is missing.');
  });

  it('finds a text that is no longer used', () => {
    write('count.ts', '');
    expectProblem('de.po: "{count, plural, one {# day} other {# days}}" is no longer used.');
  });

  it('finds a text without a translation', () => {
    translate({ off: '' });
    expectProblem('de.po: "off" has no translation.');
  });

  it('finds placeholders, tags and plural forms that a translation lacks', () => {
    translate({ 'Delete {title}?': 'Titel löschen?' });
    expectProblem('de.po: "Titel löschen?" has no placeholders, but "Delete {title}?" has {title}.');
    translate({ 'Delete {title}?': '{titel} löschen?' });
    expectProblem('has {titel}, but "Delete {title}?" has {title}.');
    translate({ ...german, 'Set <code>KEY</code>': 'Setze <b>KEY</b>' });
    expectProblem('has </b> <b>, but "Set <code>KEY</code>" has </code> <code>.');
    translate({
      ...german,
      '{count, plural, one {# day} other {# days}}': '{count, plural, other {# Tage}}',
    });
    expectProblem('the plural has no form "one".');
  });

  it('finds a text that is put together, or translated before the language is known', () => {
    write('more.ts', 'export const text = (name: string) => t(`Delete ${name}`);');
    expectProblem('more.ts:1: t() takes a literal, so that the text can be found.');
    write('more.ts', `export const text = t('off');`);
    expectProblem('more.ts:1: t() runs when the module loads, before the language is known.');
  });
});

describe('a literal that people would read', () => {
  it.each([
    ['text', '<p>Hello there</p>'],
    ['text', '<p>{count} days</p>'],
    ['text', "<p>{isOpen ? 'Close' : icon}</p>"],
    ['text', "<p>{isOpen && 'Close'}</p>"],
    ['text', '<p>{`${count} days`}</p>'],
    ['text', "<p>{title ?? 'Untitled'}</p>"],
    ['attribute', '<img alt="A cat" />'],
    ['attribute', "<Button label={isOpen ? 'Close' : 'Open'} />"],
    ['attribute', '<p aria-label={`Delete ${title}`} />'],
    ['property', "<Menu items={[{ label: 'Close' }]} />"],
    ['call', "<p onClick={() => showNotice('Saved')} />"],
  ])('is found as %s in %s', (_, element) => {
    write('more.tsx', `export const More = () => ${element};`);
    expectProblem('more.tsx:1: "');
    expectProblem('is not translated. Use t().');
  });

  it.each([
    "<p className={isOpen ? 'open' : 'closed'} id=\"more\" />",
    "<p>{kind === 'open' && <b />}</p>",
    "<p>{t('off')} · {count} {'\\n'}</p>",
    '<p>Parley</p>',
  ])('is not found in %s', (element) => {
    write('more.tsx', `export const More = () => ${element};`);
    updateCatalogs(packages, { checking: false });
    expect(updateCatalogs(packages, { checking: true }).problems).toEqual([]);
  });
});

function expectProblem(sentence: string): void {
  expect(updateCatalogs(packages, { checking: true }).problems.join('\n')).toContain(sentence);
}

function translate(texts: Readonly<Record<string, string>>): void {
  let catalog = read('../locales/de.po');
  for (const [text, translation] of Object.entries(texts)) {
    const [before = '', after = ''] = catalog.split(`msgid "${text}"\n`);
    catalog = `${before}msgid "${text}"\n${after.replace(/^msgstr ".*"/, () => `msgstr "${translation}"`)}`;
  }
  write('../locales/de.po', catalog);
}

function read(file: string): string {
  return readFileSync(join(packages, 'web/src', file), 'utf8');
}

function write(file: string, text: string): void {
  writeFileSync(join(packages, 'web/src', file), text);
}
