// Asks the notes assistant and prints the answer as it arrives. Then asks again in the same session.
import { call, lines } from './parley.mjs';

const session = await ask('List my notes');
await ask('Read garden-plan.md', session);

async function ask(message, session_id) {
  const response = await call('/api/claude/chat-stream', { body: { message, session_id } });
  let session;
  for await (const line of lines(response)) {
    if (line.type === 'tool_use') console.log(`[${line.name} ${JSON.stringify(line.input)}]`);
    if (line.type === 'text') process.stdout.write(line.delta);
    if (line.type === 'notice' || line.type === 'error') console.error(line.message);
    if (line.type === 'session') session = line.session_id;
  }
  console.log('\n');
  return session;
}
