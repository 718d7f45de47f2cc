// Why a call was refused.
import { ParleyError } from '@parley/protocol';

/** The ParleyError that the promise rejects with; anything else fails the test. */
export async function refusal(call: Promise<unknown>): Promise<ParleyError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ParleyError) return thrown;
  throw new Error('The call was expected to be refused with a ParleyError.', { cause: thrown });
}
