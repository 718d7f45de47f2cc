// A key stands for one prompt. Who sends another under it is told so, instead of getting the answer to the first.
import { ParleyError } from '@parley/protocol';
import type { AdmittedPrompt, Gateway, PromptRequest } from './gateway.ts';

/** Rejects as `Gateway.prompt` does, and with `conflict` for a key that was used before with other words. */
export async function promptOnce(
  gateway: Pick<Gateway, 'prompt'>,
  request: PromptRequest,
): Promise<AdmittedPrompt> {
  const admitted = await gateway.prompt(request);
  if (admitted.fresh || JSON.stringify(admitted.prompt) === JSON.stringify(request.prompt)) return admitted;
  throw new ParleyError('conflict', 'This key was used before, with another message. Use a new one.');
}
