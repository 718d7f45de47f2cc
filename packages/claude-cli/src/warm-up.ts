// Makes a process that waits for its first message as ready for it as can be had for nothing.
import type { RequestOptions } from './control/control-channel.ts';
import type { Session } from './session.ts';

/**
 * Counting its context by its own estimate makes the program read and build what its first turn needs: tools, system
 * prompt, memory files. It asks nothing of the model and leaves nothing in a transcript. (The full count would send
 * some twenty requests to the API, and gains next to nothing over it.) A version that does not know the request is
 * just less warm.
 */
export async function warmUp(session: Session, options: RequestOptions = {}): Promise<void> {
  await session.request('get_context_usage', { detail: 'summary' }, options).catch(() => undefined);
}
