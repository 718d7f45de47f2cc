// The smallest tool: throws dice. It reads nothing and changes nothing, so it needs neither `reads` nor `risk`.
import { randomInt } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import { z } from 'zod';
import type { Tool, ToolSource } from '../../src/domain/tool.ts';

const Input = z.strictObject({ sides: z.int().min(2).max(100).describe('How many sides the die has.') });

const dice: Tool = {
  name: 'throw_die',
  description: 'Throws a die and returns the number.',
  inputSchema: z.toJSONSchema(Input),
  async run(input, { signal }) {
    signal.throwIfAborted();
    const { sides } = Input.parse(input);
    // What the model should read is an error with a sentence.
    if (sides === 13)
      throw new ParleyError('invalid', 'Nobody throws a die with 13 sides. Choose another one.');
    return { content: String(randomInt(1, sides + 1)) };
  },
};

export function diceTools(): ToolSource {
  return { name: 'dice', tools: async () => [dice], close: async () => {} };
}
