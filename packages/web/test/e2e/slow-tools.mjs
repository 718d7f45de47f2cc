// An MCP server over stdio with one tool, which runs until its file exists, so that tests can see it at work.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file = ''] = process.argv;
const tool = {
  name: 'water_the_plants',
  description: 'Waters the plants.',
  inputSchema: { type: 'object', properties: { where: { type: 'string' } } },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) void answer(method, params).then((result) => send({ id, result }));
}

async function answer(method, params) {
  if (method === 'initialize') {
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'slow', version: '1' },
    };
  }
  if (method === 'tools/list') return { tools: [tool] };
  if (method !== 'tools/call') return {};
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 25));
  return { content: [{ type: 'text', text: 'The plants have water.' }] };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
