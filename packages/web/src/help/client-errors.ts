// The last errors of the page, for a report. In memory only, bounded, and without what looks like a secret.

export interface ClientError {
  readonly at: string;
  readonly message: string;
}

const most = 20;
const longest = 600;
const errors: ClientError[] = [];

export function clientErrors(): readonly ClientError[] {
  return errors;
}

/** Call it once, before anything can fail. */
export function keepClientErrors(page: Window): void {
  page.addEventListener('error', ({ error, message }) => keep(error ?? message));
  page.addEventListener('unhandledrejection', ({ reason }) => keep(reason));
}

function keep(problem: unknown): void {
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  errors.push({ at: new Date().toISOString(), message: withoutSecrets(text).slice(0, longest) });
  if (errors.length > most) errors.shift();
}

/** Hides keys and tokens, and drops what follows the path of an address, such as the secret of an invitation. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\b(?:sk|pk|ghp|gho|xox[a-z])[-_][\w-]{6,}/g, '[hidden]')
    .replace(/\b(Bearer|Basic)\s+\S+/gi, '$1 [hidden]')
    .replace(/(\bhttps?:\/\/)[^\s/@]*@/g, '$1')
    .replace(/(\bhttps?:\/\/[^\s?#]*)[?#][^\s:)]*/g, '$1');
}
