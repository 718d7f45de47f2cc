// Tool sources from outside: MCP servers.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isUnsafeVariable } from '../../basics/unsafe-variable.ts';
import { isHttpAddress } from '../http-address.ts';
import { Secret } from '../secret.ts';
import { setting } from '../setting.ts';

/** Names of tool sources that Parley has itself. */
const ownSources: readonly string[] = ['vault', 'web', 'linkedin', 'artifacts'];

/** The names under which an assistant may use tools. `recipes` is there by itself, and may be replaced. */
export function toolSources(mcpServers: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...ownSources, 'recipes', ...Object.keys(mcpServers)])];
}

const ServerName = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,31}$/, 'expected a name of at most 32 letters, digits, - and _')
  .refine((name) => !ownSources.includes(name), 'expected a name that no tool source of Parley has');

const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable')
  .refine((name) => !isUnsafeVariable(name), 'expected no variable that makes programs load foreign code');

const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of a header');

const secretText = z.string().transform((value) => new Secret(value));
const withoutNul = (text: string) => !text.includes('\0');

const McpServerEntry = z
  .strictObject({
    type: setting(z.enum(['stdio', 'http']).optional(), {
      meaning: 'May be given as in the files of other programs; `command` or `url` decides.',
    }),
    command: setting(z.string().min(1).refine(withoutNul).optional(), {
      meaning: 'The program to start: a name in PATH or an absolute path.',
    }),
    args: setting(z.array(z.string().refine(withoutNul)).default([]), {
      meaning: 'Its arguments. They are no place for secrets, as everybody on the machine can see them.',
    }),
    env: setting(z.record(VariableName, secretText).default({}), {
      secret: true,
      meaning: 'Variables for the program. Of those of Parley it gets only a few, such as PATH and HOME.',
    }),
    cwd: setting(z.string().refine(isAbsolute, 'expected an absolute path').optional(), {
      meaning: 'The folder in which the program runs.',
    }),
    url: setting(z.string().refine(isHttpAddress, 'expected an http or https address').optional(), {
      meaning:
        'Instead of `command`: the address of a server that speaks streamable HTTP. Secrets belong into `headers`.',
    }),
    headers: setting(z.record(HeaderName, secretText).default({}), {
      secret: true,
      meaning: 'Headers for each request to `url`, such as `Authorization`.',
    }),
    timeoutMs: setting(z.int().min(100).optional(), {
      fallback: '60000',
      meaning: 'A tool call that takes longer fails, in milliseconds.',
    }),
    disabled: setting(z.boolean().default(false), { meaning: 'true leaves the server out.' }),
  })
  .refine(({ disabled, command, url }) => disabled || (command === undefined) !== (url === undefined), {
    error: 'expected either command or url',
  });

export const mcp = {
  mcpServers: setting(z.record(ServerName, McpServerEntry).default({}), {
    secret: true,
    meaning:
      'MCP servers by name. An assistant uses the tools of one by naming it in its `tools`. `recipes` is there by itself and can be replaced or disabled.',
    hint: 'Each entry is {"command": "…", "args": ["…"]} or {"url": "https://…"}; the name is a short word.',
  }),
};
