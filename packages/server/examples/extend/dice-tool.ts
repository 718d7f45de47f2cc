// The smallest tool: rolls a die. It reads nothing and changes nothing, so it needs neither `reads` nor `risk`.
import { randomInt } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import { z } from 'zod';
import type { Tool, ToolSource } from '../../src/domain/tool.ts';

const Input = z.strictObject({ sides: z.int().min(2).max(100).describe('How many sides the die has.') });

const dice: Tool = {
  name: 'roll_die',
  description: 'Rolls a die and returns the number.',
  inputSchema: z.toJSONSchema(Input),
  async run(input, { signal }) {
    signal.throwIfAborted();
    const { sides } = Input.parse(input);
    // To say something to the model, throw an error with a sentence.
    if (sides === 13)
      throw new ParleyError('invalid', 'Nobody makes a die with 13 sides. Choose another number.');
    return { content: String(randomInt(1, sides + 1)) };
  },
};

export function diceTools(): ToolSource {
  return { name: 'dice', tools: async () => [dice], close: async () => {} };
}
