// Calls tools as the engine does, for Anna. Nobody answers when they ask, unless the test says otherwise.
import { randomUUID } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import type { Tool, ToolContext, ToolSource } from '../../src/domain/tool.ts';

type Input = Readonly<Record<string, unknown>>;

export function contextOf(context: Partial<ToolContext> = {}): ToolContext {
  return {
    person: 'anna',
    sessionId: randomUUID(),
    signal: new AbortController().signal,
    emit: () => Promise.resolve(),
    progress: () => undefined,
    askPermission: () => Promise.resolve({ behavior: 'deny' }),
    ...context,
  };
}

export async function toolNamed(source: ToolSource, name: string): Promise<Tool> {
  const tool = (await source.tools()).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`${source.name} has no tool ${name}`);
  return tool;
}

/** The text of the result. */
export async function callTool(
  source: ToolSource,
  name: string,
  input: Input,
  context: Partial<ToolContext> = {},
): Promise<string> {
  const { content } = await (await toolNamed(source, name)).run(input, contextOf(context));
  if (typeof content !== 'string') throw new TypeError('expected text');
  return content;
}

/** The sentence with which a call is refused. Any error but a ParleyError is a bug and fails the test. */
export async function refusalOf(call: Promise<string>): Promise<string> {
  try {
    return `not refused: ${await call}`;
  } catch (thrown) {
    if (thrown instanceof ParleyError) return thrown.message;
    throw thrown;
  }
}
