// What LinkedIn refuses, in sentences that say what to do. Pure.
import { type ErrorCode, ParleyError } from '@parley/protocol';
import { inTime } from '../../content/waiting-time.ts';
import type { HttpResponse } from '../../domain/http.ts';

export function toProblem({ status, headers, body }: HttpResponse): ParleyError {
  const problem = (code: ErrorCode, message: string): ParleyError => new ParleyError(code, message);
  const said = saidBy(body);
  switch (status) {
    case 400:
    case 422:
      return /duplicate/i.test(said)
        ? problem('conflict', 'LinkedIn has this very text already, so it was not published again.')
        : problem('invalid', `LinkedIn refused this as it is (status ${status})${reason(said)}.`);
    case 401:
      return problem(
        'unavailable',
        'LinkedIn no longer accepts the login. Open /api/linkedin/connect of this server in the browser to connect it again.',
      );
    case 403:
      return problem(
        'forbidden',
        'LinkedIn does not allow this with the permissions of the login. Reading comments needs an app that LinkedIn has approved for it.',
      );
    case 404:
      return problem(
        'not_found',
        'LinkedIn has no such post or comment, or it is not visible to this person.',
      );
    case 426:
      return problem(
        'unavailable',
        'LinkedIn no longer speaks this version of its API. Set linkedin.version to a recent month, such as 202606.',
      );
    case 429:
      return problem(
        'rate_limited',
        `LinkedIn's limit is reached. Try again ${later(headers.get('retry-after'))}.`,
      );
    default:
      return problem('unavailable', `LinkedIn has a problem of its own (status ${status}). Try again later.`);
  }
}

function later(retryAfter: string | null): string {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  if (seconds === undefined) return 'tomorrow, for most of its limits are counted by the day';
  return inTime(seconds);
}

function reason(said: string): string {
  return said === '' ? '' : `: ${said}`;
}

/** Its own words, where they are short and plain. */
function saidBy(body: Uint8Array): string {
  try {
    const { message } = JSON.parse(new TextDecoder().decode(body)) as { message?: unknown };
    return typeof message === 'string' ? message.replaceAll(/[^\p{L}\p{N}\p{P} ]/gu, ' ').slice(0, 300) : '';
  } catch {
    return '';
  }
}
