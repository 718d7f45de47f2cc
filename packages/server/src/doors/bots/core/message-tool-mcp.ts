// The MCP side of the message tool. A separate file, so that the SDK is only loaded with the first call.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ParleyError } from '@parley/protocol';
import { z } from 'zod';

const longestText = 100_000;

/** Stateless: nothing is remembered between requests. */
export async function answerMcp(
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  send: (text: string) => Promise<void>,
): Promise<void> {
  const server = new McpServer({ name: 'parley', version: '1.0.0' });
  server.registerTool(
    'message',
    {
      description:
        'Sends a text to the person in this chat right now, while you are still working. ' +
        'Use it for news that cannot wait; your final answer is sent automatically.',
      inputSchema: { text: z.string().min(1).max(longestText).describe('The text to send, as Markdown') },
    },
    async ({ text }) => {
      try {
        await send(text);
        return { content: [{ type: 'text', text: 'Sent.' }] };
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: ParleyError.from(error).message }] };
      }
    },
  );
  // Without a session id generator the transport is stateless.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}
