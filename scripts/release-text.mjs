// What a release changes in files, which is the changelog and the versions, and how it is signed.

/** Moves what is under Unreleased to a section of its own. */
export function releaseChangelog(text, version, day) {
  const heading = '## [Unreleased]\n';
  const start = text.indexOf(heading);
  if (start < 0) throw new Error('CHANGELOG.md has no section ## [Unreleased].');
  const rest = text.slice(start + heading.length);
  const end = rest.search(/^## /m);
  const notes = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (notes === '') throw new Error('CHANGELOG.md has nothing under Unreleased. First list what changed.');
  const older = end < 0 ? '' : `\n\n${rest.slice(end).trim()}`;
  return `${text.slice(0, start)}${heading}\n## [${version}] - ${day}\n\n${notes}${older}\n`;
}

/** What the changelog says about a version. */
export function notesOf(text, version) {
  const [, notes] =
    new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*\n([^]*?)(?=^## |(?![^]))`, 'm').exec(text) ??
    [];
  return notes?.trim();
}

/** Sets the version of a package, and of the packages of this workspace that it needs. */
export function withVersion(text, version) {
  return text
    .replace(/^(\s*"version": ")[^"]*(",?)$/m, `$1${version}$2`)
    .replaceAll(/("@parley\/[\w-]+": "\^?)\d[^"]*(")/g, `$1${version}$2`);
}

/** Whether a version comes after another one. Only `X.Y.Z` is a version. */
export function isLater(version, than) {
  const numbers = (text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  const [one, other] = [numbers(version), numbers(than)];
  if (!one || !other) return false;
  const differing = one.findIndex((number, index) => number !== other[index]);
  return differing >= 0 && one[differing] > other[differing];
}

/** For ssh-keygen. Checking the signature requires the same namespace. */
export function signArguments(key, file) {
  return ['-q', '-Y', 'sign', '-f', key, '-n', 'parley-release', file];
}
