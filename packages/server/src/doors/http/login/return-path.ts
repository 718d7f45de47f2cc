// Where the browser goes after login: back to where it was, never to another site.

export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || !wanted.startsWith('/') || !URL.canParse(wanted, base)) return home;
  const { origin, pathname, search } = new URL(wanted, base);
  const isOwn = origin === base && !pathname.startsWith('//');
  return isOwn && !/^\/log(in|out)\/?$/.test(pathname) ? pathname + search : home;
}

const base = 'http://parley.invalid';
const home = '/';
