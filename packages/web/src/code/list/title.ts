// What a session is called, also before anything was said in it.
import type { CodeSessionView } from '@parley/protocol';

export function titleOf({ title, firstPrompt }: CodeSessionView): string {
  return title || firstPrompt || 'New session';
}
