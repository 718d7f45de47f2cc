// Calls tools by their plain names: finds the offered tool, fills in the parameters that its schema has, and makes
// `claude` load a deferred tool first.
import type { JsonSchema, WireTool } from '../anthropic/messages-wire.ts';
import { callTool, type ReplyPart } from '../anthropic/reply.ts';
import type { DoneCall, Scene } from './scene.ts';

type Values = Readonly<Record<string, unknown>>;

/** True if the tool is offered or can be loaded. */
export function offers(scene: Scene, name: string): boolean {
  return toolName(scene, name) !== undefined;
}

export function call(scene: Scene, name: string, values: Values = {}): ReplyPart {
  const known = toolName(scene, name) ?? name;
  const tool = scene.tools.get(known);
  if (tool === undefined && scene.deferredTools.includes(known)) {
    return callTool('ToolSearch', { query: `select:${known}`, max_results: 1 });
  }
  return callTool(known, fill(tool, values));
}

/** The last call of one of these tools in this turn, if any. */
export function lastCall(scene: Scene, ...names: readonly string[]): DoneCall | undefined {
  return scene.done.findLast((done) => names.some((name) => isTool(done.name, name)));
}

export function callsTo(done: readonly DoneCall[], ...names: readonly string[]): readonly DoneCall[] {
  return done.filter((call) => names.some((name) => isTool(call.name, name)));
}

/** The path in a call's input. */
export function pathOf(done: DoneCall): string {
  const path = done.input['path'] ?? done.input['file_path'];
  return typeof path === 'string' ? path : 'the file';
}

/** The name may have the tool source in front: `mcp__kitchen__list_recipes` is `list_recipes`. */
function isTool(full: string, name: string): boolean {
  return (
    full === name || full.endsWith(`__${name}`) || full.endsWith(`.${name}`) || full.endsWith(`-${name}`)
  );
}

function toolName(scene: Scene, name: string): string | undefined {
  if (scene.tools.has(name)) return name;
  return [...scene.tools.keys(), ...scene.deferredTools].find((full) => isTool(full, name));
}

/** Names that schemas use for the same parameter. */
const sameParameter: readonly (readonly string[])[] = [
  ['query', 'pattern', 'text', 'q', 'search'],
  ['path', 'file_path', 'file', 'filename', 'directory', 'dir'],
  ['content', 'contents', 'body'],
  ['recipe_id', 'id'],
  ['command', 'cmd'],
];

function fill(tool: WireTool | undefined, values: Values): Record<string, unknown> {
  const schema = tool?.input_schema;
  const filled = fitObject(schema, values);
  for (const required of schema?.required ?? []) {
    if (required in filled) continue;
    const group = sameParameter.find((words) => words.includes(required));
    const word = group?.find((other) => other in values);
    if (word !== undefined) filled[required] = values[word];
  }
  return filled;
}

/** Drops fields that the schema doesn't have, and picks an allowed value if it lists them. */
function fit(schema: JsonSchema | undefined, value: unknown): unknown {
  if (schema?.enum !== undefined && !schema.enum.includes(value)) return schema.enum[0];
  if (Array.isArray(value)) return value.map((item: unknown) => fit(schema?.items, item));
  if (typeof value === 'object' && value !== null) return fitObject(schema, value as Values);
  if (schema?.type === 'string' && typeof value === 'number') return String(value);
  return value;
}

function fitObject(schema: JsonSchema | undefined, values: Values): Record<string, unknown> {
  const properties = schema?.properties;
  if (properties === undefined) return { ...values };
  const renamed = Object.entries(values).flatMap(([key, value]) => {
    const name = parameterName(properties, key);
    return name === undefined ? [] : [[name, fit(properties[name], value)] as const];
  });
  return Object.fromEntries(renamed);
}

function parameterName(properties: Readonly<Record<string, JsonSchema>>, key: string): string | undefined {
  if (key in properties) return key;
  return sameParameter.find((words) => words.includes(key))?.find((word) => word in properties);
}
