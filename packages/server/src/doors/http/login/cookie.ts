// The login cookie: sent only by its browser, only to us, and unreadable for scripts.

const name = 'rv_session';

/** The first one counts, because browsers send the most specific first. Ignores anything that isn't shaped like our secrets. */
export function readLoginCookie(header: string | undefined): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    return /^[\w-]{43}$/.test(value) ? value : undefined;
  }
  return undefined;
}

export function loginCookie(
  secret: string,
  { seconds, secure }: { seconds: number; secure: boolean },
): string {
  const attributes = [
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ];
  return [`${name}=${secret}`, ...attributes].join('; ');
}

/** Makes the browser forget it. */
export function clearedCookie({ secure }: { secure: boolean }): string {
  return loginCookie('', { seconds: 0, secure });
}
