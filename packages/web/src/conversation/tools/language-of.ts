// The language of a file for syntax highlighting, from its name.
export function languageOf(path: string): string {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const whole = byName[name];
  if (whole !== undefined) return whole;
  const ending = /\.([a-z0-9]+)$/.exec(name)?.[1] ?? '';
  return byEnding[ending] ?? ending;
}

const byName: Readonly<Record<string, string>> = {
  dockerfile: 'docker',
  makefile: 'make',
};

const byEnding: Readonly<Record<string, string>> = {
  h: 'c',
  cc: 'cpp',
  hpp: 'cpp',
  htm: 'html',
  svg: 'xml',
  txt: '',
};
