// Prints what happens in all sessions of a person until you stop it.
import { call, events } from './parley.mjs';

let seen;
for (;;) {
  try {
    const stream = await call('/api/notifications', { headers: seen && { 'Last-Event-ID': seen } });
    for await (const { id, event, data } of events(stream)) {
      seen = id;
      if (event) console.log(`[${event}] ${data.title} (${data.tool ?? data.outcome ?? data.project})`);
      else console.log('[listening]'); // The first one only carries the id to resume from.
    }
  } catch (error) {
    console.error(error.message);
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}
