// Reads the tools that a server lists. A tool that cannot be used is skipped; the rest of the list stays valid.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { z } from 'zod';
import type { McpLimits } from './settings.ts';
import { fitSchema } from './tool-schema.ts';

/** A tool, with the name that its server gives it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** What the server says about its effects. */
  readonly hints: ToolHints;
}

export interface ToolHints {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

export interface ToolList {
  readonly tools: readonly ListedTool[];
  /** Names of tools that cannot be offered to a model. */
  readonly skipped: readonly string[];
}

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const ListedTool = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  annotations: z
    .looseObject({
      readOnlyHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
      openWorldHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
});

const maxPages = 20;

export async function listTools(
  client: Client,
  limits: Pick<McpLimits, 'tools' | 'descriptionLength'>,
  options: RequestOptions,
): Promise<ToolList> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], skipped: [] };
  const tools = new Map<string, ListedTool>();
  const skipped: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && tools.size < limits.tools; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, Page, options);
    for (const listed of answer.tools) {
      const tool = toListedTool(listed, limits.descriptionLength);
      if (tool === undefined) skipped.push(nameOf(listed));
      else if (tools.size < limits.tools) tools.set(tool.name, tool);
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return { tools: [...tools.values()], skipped: skipped.slice(0, limits.tools) };
}

/** Undefined for invalid tools, for those that no model could call, and for those that only run as background tasks. */
function toListedTool(listed: unknown, descriptionLength: number): ListedTool | undefined {
  const parsed = ListedTool.safeParse(listed);
  if (!parsed.success || parsed.data.execution?.taskSupport === 'required') return undefined;
  const { name, title, description = title ?? name } = parsed.data;
  const fit = fitSchema(parsed.data.inputSchema);
  if (fit === undefined) return undefined;
  const { schema, alternatives } = fit;
  const rule = alternatives === undefined ? '' : `\n\nThe input must also match ${alternatives}`;
  return {
    name,
    description: `${description}${rule}`.slice(0, descriptionLength),
    inputSchema: schema,
    hints: parsed.data.annotations ?? {},
  };
}

function nameOf(listed: unknown): string {
  const { name } = z.looseObject({}).catch({}).parse(listed);
  return typeof name === 'string' ? name.slice(0, 200) : 'a tool without a name';
}
