// The name that somebody logs in with, from whatever was typed: `Jörg Müller` becomes `joerg-mueller`.

const spelled: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
};
const longest = 32;

export function loginName(typed: string): string {
  return typed
    .toLowerCase()
    .normalize('NFC')
    .replace(/[äöüßæøł]/g, (letter) => spelled[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');
}
