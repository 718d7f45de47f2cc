// The smallest engine: answers with the prompt, backwards, word by word. The gateway does everything else: it numbers and
// stores the events, shows them to all readers, and ends the turn.
import { type EngineEvent, promptText } from '@parley/protocol';
import type { Engine, EngineTurn } from '../../src/domain/engine.ts';

export class BackwardsEngine implements Engine {
  readonly name = 'messages-api';
  readonly storesEvents = true;

  async *run({ prompt, signal }: EngineTurn): AsyncGenerator<EngineEvent, void, void> {
    const words = promptText(prompt).split(' ').reverse();
    for (const [index, word] of words.entries()) {
      // Somebody pressed Stop, or the server is stopping. What was said so far stays.
      if (signal.aborted) return;
      yield { type: 'text.delta', text: index === 0 ? word : ` ${word}` };
    }
    yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: words.join(' ') }] };
  }

  async close(): Promise<void> {}
}
