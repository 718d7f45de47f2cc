// The cookies of a browser: sent only by that browser, only to us, and unreadable for scripts. Over TLS their names start
// with `__Host-`, which other host names and unencrypted pages can't set.

/** The login, the mark of a browser that has logged in before, and a trip to the identity provider. */
type CookieName = 'rv_session' | 'rv_browser' | 'rv_openid';

/** The first one counts, because browsers send the most specific first. Ignores values that don't look like our secrets. */
export function readCookie(
  header: string | undefined,
  name: CookieName,
  { secure }: { secure: boolean },
): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== fullName(name, secure)) continue;
    const value = pair.slice(at + 1).trim();
    return /^[\w-]{43}$/.test(value) ? value : undefined;
  }
  return undefined;
}

export function cookie(
  name: CookieName,
  secret: string,
  { seconds, secure }: { seconds: number; secure: boolean },
): string {
  const attributes = [
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    // The browser comes back from the identity provider, which is another site.
    `SameSite=${name === 'rv_openid' ? 'Lax' : 'Strict'}`,
    ...(secure ? ['Secure'] : []),
  ];
  return [`${fullName(name, secure)}=${secret}`, ...attributes].join('; ');
}

/** Makes the browser forget it. */
export function clearedCookie(name: CookieName, { secure }: { secure: boolean }): string {
  return cookie(name, '', { seconds: 0, secure });
}

function fullName(name: CookieName, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}
