// What the search services share: asking for JSON, and saying in a sentence what went wrong.
import { ParleyError } from '@parley/protocol';
import type { z } from 'zod';
import { inTime } from '../../../content/waiting-time.ts';
import type { HttpRequest, SendHttp } from '../../../domain/http.ts';

export async function askForJson<T>(
  http: SendHttp,
  request: HttpRequest,
  service: string,
  shape: z.ZodType<T>,
): Promise<T> {
  const { status, headers, body } = await http({
    ...request,
    headers: { accept: 'application/json', ...request.headers },
  });
  if (status !== 200) throw refusal(service, status, headers.get('retry-after'));
  const parsed = shape.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  throw new ParleyError('unavailable', `${service} gave an answer that is no list of results.`);
}

function refusal(service: string, status: number, retryAfter: string | null): ParleyError {
  switch (status) {
    case 401:
    case 403:
      return new ParleyError(
        'unavailable',
        `${service} did not let Parley search (status ${status}). Check its key and its settings.`,
      );
    case 429: {
      const wait = /^\d{1,5}$/.test(retryAfter ?? '') ? inTime(Number(retryAfter)) : 'in a moment';
      return new ParleyError('rate_limited', `${service} was asked too often. Search again ${wait}.`);
    }
    default:
      return new ParleyError('unavailable', `${service} could not search (status ${status}).`);
  }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
