// A key belongs to one prompt. Sending a different prompt with it is an error, and doesn't return the first answer.
import { ParleyError } from '@parley/protocol';
import type { AdmittedPrompt, Gateway, PromptRequest } from './gateway.ts';

/** Rejects like `Gateway.prompt`, and with `conflict` for a key that was used with another prompt. */
export async function promptOnce(
  gateway: Pick<Gateway, 'prompt'>,
  request: PromptRequest,
): Promise<AdmittedPrompt> {
  const admitted = await gateway.prompt(request);
  if (admitted.fresh || JSON.stringify(admitted.prompt) === JSON.stringify(request.prompt)) return admitted;
  throw new ParleyError('conflict', 'This key was already used for another message. Use a new one.');
}
