// Loses the connection in the middle of an answer and resumes where it left off.
import { call, events } from './parley.mjs';

const answer = await call('/api/chat', { body: { message: 'Count to 30' } });
const conversation = answer.headers.get('X-Conversation-Id');

let seen;
for await (const { id, event, data } of events(answer)) {
  show(event, data);
  seen = id;
  if (data.text?.includes('10')) break; // Leaving the loop closes the connection. The turn continues.
}

console.log('\n[the connection is lost]');
const rest = await call(`/api/chat/${conversation}/events`, { headers: { 'Last-Event-ID': seen } });
if (rest.status === 200) for await (const { event, data } of events(rest)) show(event, data);

function show(event, data) {
  if (event === 'chunk') process.stdout.write(data.text);
  if (event === 'tool_use') console.log(`[${data.tool} ${data.status}]`);
  if (event === 'recipe_artifact') console.log(`[recipe ${data.recipe_id}]`);
  if (event === 'notice') console.log(`[${data.message}]`);
  if (event === 'done') console.log(data.stopped ? '\n[stopped]' : '\n[done]');
  if (event === 'error') console.log(`\n[${data.message}]`);
}
