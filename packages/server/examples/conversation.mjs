// Follows a conversation: answers, permissions, and the queue.
import { call, events } from './parley.mjs';

const { id } = await (await call('/api/sessions', { body: { assistant: 'notes' } })).json();
const post = await prompt('Post on LinkedIn: Our seed swap is on 21 February');
const thanks = await prompt('Thanks');

let waiting = 0;
const stream = await call(`/api/sessions/${id}/events?after=${post.after}`);
for await (const { event: name, data } of events(stream)) {
  if (name === 'error') throw new Error(data.message);
  const { event, turnId } = data;
  if (event.type === 'queue.changed' && event.prompts.length !== waiting) {
    waiting = event.prompts.length;
    console.log(`[${waiting} waiting]`);
  }
  if (event.type === 'permission.asked') await decide(event);
  if (event.type === 'turn.ended') console.log(event.text);
  if (event.type === 'turn.ended' && turnId === thanks.turnId) break;
}

async function prompt(message) {
  return (await call(`/api/sessions/${id}/prompts`, { body: { message } })).json();
}

async function decide({ id: permission, request }) {
  console.log(`[allow? ${request.description}]`);
  await call(`/api/sessions/${id}/permissions/${permission}`, { body: { behavior: 'allow' } });
}
