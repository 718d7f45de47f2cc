// A client of the demo model: runs the tools that it calls and returns the results until it has answered.
import { messagesRefusal } from '../../src/anthropic/checks.ts';
import type {
  ContentBlock,
  ToolResultBlock,
  WireMessage,
  WireTool,
} from '../../src/anthropic/messages-wire.ts';
import { demoModel } from '../../src/demo-model/demo-model.ts';

export type TestTool = {
  readonly properties: Readonly<Record<string, { type: string; enum?: readonly string[] }>>;
  readonly required?: readonly string[];
  /** A throw becomes a tool error. */
  run(input: Readonly<Record<string, unknown>>): string;
};

export type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
export type Answer = { readonly text: string; readonly calls: readonly Call[] };

const maxSteps = 10;

export class DemoConversation {
  readonly #tools: Readonly<Record<string, TestTool>>;
  readonly #system: string;
  readonly #messages: WireMessage[] = [];
  #ids = 0;

  constructor(tools: Readonly<Record<string, TestTool>>, system = '') {
    this.#tools = tools;
    this.#system = system;
  }

  say(content: string | readonly ContentBlock[]): Answer {
    this.#messages.push({ role: 'user', content });
    const calls: Call[] = [];
    for (let step = 0; step < maxSteps; step += 1) {
      const blocks = this.#ask();
      this.#messages.push({ role: 'assistant', content: blocks });
      const results = blocks.flatMap((block) =>
        block.type === 'tool_use' ? [this.#run(block.id, block)] : [],
      );
      calls.push(
        ...blocks.flatMap((block) =>
          block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [],
        ),
      );
      const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
      if (results.length === 0) return { text, calls };
      this.#messages.push({ role: 'user', content: results });
    }
    throw new Error(`the model had no answer after ${maxSteps} steps`);
  }

  #ask(): readonly ContentBlock[] {
    const tools = Object.entries(this.#tools).map(
      ([name, { properties, required = [] }]): WireTool => ({
        name,
        input_schema: { type: 'object', properties, required },
      }),
    );
    const body = { model: 'demo', max_tokens: 1_000, system: this.#system, tools, messages: this.#messages };
    const refused = messagesRefusal(body);
    if (refused !== undefined) throw new Error(refused.message);
    return demoModel(body).parts.map((part): ContentBlock => {
      if (part.part === 'text') return { type: 'text', text: part.pieces.join('') };
      if (part.part === 'tool_use')
        return { type: 'tool_use', id: `toolu_${++this.#ids}`, name: part.name, input: part.input };
      throw new Error(`the model does not use ${part.part}`);
    });
  }

  #run(id: string, { name, input }: Call): ToolResultBlock {
    try {
      const tool = this.#tools[name];
      if (tool === undefined) throw new Error(`${name} is not offered`);
      const unknown = Object.keys(input).filter((key) => !(key in tool.properties));
      if (unknown.length > 0) throw new Error(`${name} has no parameter ${unknown.join(', ')}`);
      return { type: 'tool_result', tool_use_id: id, content: tool.run(input) };
    } catch (error) {
      return { type: 'tool_result', tool_use_id: id, content: (error as Error).message, is_error: true };
    }
  }
}
