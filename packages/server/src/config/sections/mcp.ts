// MCP servers as tool sources.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isUnsafeVariable } from '../../basics/unsafe-variable.ts';
import { Secret } from '../secret.ts';
import { setting } from '../setting.ts';
import { httpAddress } from './values.ts';

/** The names of Parley's own tool sources. */
const ownSources: readonly string[] = ['vault', 'web', 'linkedin', 'artifacts'];

/** The tool sources that an assistant can name. `recipes` is built in and can be replaced. */
export function toolSources(mcpServers: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...ownSources, 'recipes', ...Object.keys(mcpServers)])];
}

const ServerName = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,31}$/, 'expected a name of at most 32 letters, digits, - and _')
  .refine((name) => !ownSources.includes(name), 'expected a name that no built-in tool source has');

const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected a variable name')
  .refine((name) => !isUnsafeVariable(name), 'this variable would make programs load other code');

const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected a header name');

/** May be empty. */
const secretValue = z.string().transform((value) => new Secret(value));
const withoutNul = (text: string) => !text.includes('\0');

const McpServerEntry = z
  .strictObject({
    type: setting(z.enum(['stdio', 'http']).optional(), {
      meaning: 'Accepted for compatibility with the files of other programs. `command` or `url` decides.',
    }),
    command: setting(z.string().min(1).refine(withoutNul).optional(), {
      meaning: 'The program to start: a name in PATH or an absolute path.',
    }),
    args: setting(z.array(z.string().refine(withoutNul)).default([]), {
      meaning: 'Its arguments. Do not put secrets here: everybody on the machine can see them.',
    }),
    env: setting(z.record(VariableName, secretValue).default({}), {
      secret: true,
      meaning:
        "Environment variables for the program. It inherits only a few of Parley's, such as PATH and HOME.",
    }),
    cwd: setting(z.string().refine(isAbsolute, 'expected an absolute path').optional(), {
      fallback: "its own folder in Parley's home",
      meaning: 'The folder in which the program runs.',
    }),
    url: setting(httpAddress().optional(), {
      meaning:
        'Use this instead of `command`: the address of a server that uses streamable HTTP. Put secrets in `headers`.',
    }),
    headers: setting(z.record(HeaderName, secretValue).default({}), {
      secret: true,
      meaning: 'Headers for each request to `url`, such as `Authorization`.',
    }),
    trusted: setting(z.boolean().default(false), {
      meaning:
        "Set it to true if only the household writes what the server returns. Its results are then not marked as untrusted, and reading them doesn't make assistants ask first.",
    }),
    timeoutMs: setting(z.int().min(100).optional(), {
      fallback: '60000',
      meaning: 'The timeout of a tool call, in milliseconds.',
    }),
    disabled: setting(z.boolean().default(false), { meaning: 'Set it to true to turn the server off.' }),
  })
  .refine(({ disabled, command, url }) => disabled || (command === undefined) !== (url === undefined), {
    error: 'expected either command or url',
  });

export const mcp = {
  mcpServers: setting(z.record(ServerName, McpServerEntry).default({}), {
    secret: true,
    meaning:
      "MCP servers by name. To use a server's tools, an assistant names it in its `tools`. `recipes` is built in and can be replaced or disabled.",
    hint: 'Each entry is {"command": "…", "args": ["…"]} or {"url": "https://…"}; the name is a short word.',
  }),
};
