// From what can go wrong on the way to a web server to a sentence for the model and the person.
import { ParleyError } from '@parley/protocol';

/** `lateAfterMs` is given when the time for the whole was used up. */
export function toSentence(thrown: unknown, host: string, lateAfterMs?: number): ParleyError {
  const ours = causes(thrown).find((cause) => cause instanceof ParleyError);
  if (ours !== undefined) return ours;
  const unavailable = (message: string): ParleyError =>
    new ParleyError('unavailable', message, { cause: thrown });
  if (lateAfterMs !== undefined) {
    return unavailable(`${host} took longer than ${lateAfterMs / 1_000} seconds to answer.`);
  }
  const codes = causes(thrown).map((cause) =>
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '',
  );
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN')) {
    return unavailable(`There is no server named ${host}, or its name cannot be looked up now.`);
  }
  if (codes.some((code) => /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))) {
    return unavailable(`${host} could not prove who it is: its certificate is not valid.`);
  }
  if (codes.some((code) => /TIMEOUT|ETIMEDOUT/.test(code))) {
    return unavailable(`${host} did not answer in time.`);
  }
  if (codes.some((code) => code.startsWith('Z_'))) {
    return unavailable(`${host} sent an answer that cannot be decompressed.`);
  }
  return unavailable(`${host} could not be reached, or broke off its answer.`);
}

function causes(thrown: unknown): readonly unknown[] {
  const found: unknown[] = [];
  for (let cause = thrown; cause instanceof Error && found.length < 5; cause = cause.cause) found.push(cause);
  return found;
}
