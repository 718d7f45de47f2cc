// An MCP server written by hand, that can be as odd as its flags say:
//   --greeting      writes a line to stdout that is no message
//   --silent        never answers
//   --stubborn      ends neither when stdin is closed nor on SIGTERM
//   --grandchild    starts a process that keeps the pipes open
//   --crash <file>  ends at once, with a sentence on stderr, as long as that file exists
//   --tools <a,b>   offers tools of these names, which answer with their name
//   --schemas <json>  has these schemas, by the name of the tool
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const yes = { type: 'boolean', default: false };
const { values: flags } = parseArgs({
  options: {
    greeting: yes,
    silent: yes,
    stubborn: yes,
    grandchild: yes,
    crash: { type: 'string' },
    tools: { type: 'string', default: '' },
    schemas: { type: 'string', default: '{}' },
  },
});

if (flags.crash && existsSync(flags.crash)) {
  process.stderr.write(`starting\nno flour in the house, token ${process.env.KITCHEN_TOKEN}\n`);
  process.exit(7);
}
if (flags.greeting) process.stdout.write('Welcome to the odd server!\n{"half": \n');
if (flags.stubborn) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}
const grandchild = flags.grandchild
  ? spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: 'inherit' })
  : undefined;

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const tools = {
  say: ({ text: said }) => text(said),
  pids: () => text(JSON.stringify([process.pid, grandchild?.pid].filter(Boolean))),
  environment: () => text(JSON.stringify(process.env)),
  hang: () => undefined,
  die: () => process.exit(3),
  refuse: () => {
    throw new Error('The moon is too full.');
  },
  fail: () => ({ ...text('It did not work out.'), isError: true }),
  flood: () => text('x'.repeat(11 * 1024 * 1024)),
  grow: () => {
    tools.grown = () => text('I am new.');
    send({ method: 'notifications/tools/list_changed' });
    return text('grown');
  },
  ...Object.fromEntries(
    flags.tools
      .split(',')
      .filter(Boolean)
      .map((name) => [name, () => text(`this is ${name}`)]),
  ),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || flags.silent) continue;
  try {
    const result = answer(method, params);
    if (result !== undefined) send({ id, result });
  } catch (error) {
    send({ id, error: { code: -32602, message: error.message } });
  }
}

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'odd', version: '1' },
      };
    case 'tools/list':
      // One page each, with entries among them that are not tools.
      return page(Number(params?.cursor ?? 0));
    case 'tools/call':
      return tools[params.name](params.arguments ?? {});
    default:
      return {};
  }
}

function page(at) {
  const names = Object.keys(tools);
  const schemas = JSON.parse(flags.schemas);
  const next = at + 5 < names.length ? { nextCursor: `${at + 5}` } : {};
  const listed = names.slice(at, at + 5).map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', ...schemas[name] },
  }));
  return { tools: [...listed, { name: 'no schema' }, 'no tool'], ...next };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
