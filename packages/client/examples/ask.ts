// Asks an assistant and prints its answer while it is written.
//
//   npx rolldown packages/client/examples/ask.ts --platform node --file ask.mjs
//   PARLEY_API_KEY=… node ask.mjs notes "What did I note about tomatoes?"
import { createClient } from '@parley/client';
import { meaningsOf } from '@parley/protocol';

const [assistant = 'notes', text = 'Hello'] = process.argv.slice(2);
const client = createClient({
  baseUrl: process.env['PARLEY_URL'] ?? 'http://127.0.0.1:4710',
  apiKey: process.env['PARLEY_API_KEY'],
  // Node before 22 has no built-in WebSocket. Pass the one from `ws`, or use event streams.
  transport: 'sse',
});

const session = await client.sessions.create({ assistant });
const receipt = await client.sessions.prompt(session.id, { text, images: [] }, { key: crypto.randomUUID() });
const after = 'after' in receipt ? receipt.after : undefined;

for await (const envelope of client.subscribe(session.id, { after })) {
  for (const event of meaningsOf(envelope.event)) {
    if (event.type === 'text.delta') process.stdout.write(event.text);
    if (event.type === 'turn.ended') {
      process.stdout.write(`\n${event.error?.message ?? ''}\n`);
      client.close();
      process.exit(event.outcome === 'completed' ? 0 : 1);
    }
  }
}
