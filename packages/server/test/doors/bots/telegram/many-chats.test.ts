// More chats at once than there are processes, with the real program.
import { lastUserText, reply } from '@parley/stand-ins';
import { expect, it } from 'vitest';
import { programsIn } from '../../../engines/claude-code/processes.ts';
import { answers, petra, startBot } from './harness.ts';
import { freshWorkplace } from './program.ts';

const patience = 300_000;
const maxProcesses = 4;
const chats = process.env['PARLEY_LONG'] === '1' ? 30 : 14;

it(`a bot answers ${chats} chats at once with four processes, and tells those that wait how many are ahead [channels.slots.waits] [channels.slots.ahead]`, async () => {
  const place = await freshWorkplace();
  place.anthropic.script(() => true).always(({ body }) => reply(`Answer to ${lastUserText(body)}`));
  const { folder, workspace } = place;
  const engine = await place.newEngine({ maxProcesses });
  const { telegram } = await startBot({ folder, engine, allowFrom: ['*'], settings: { workspace } });
  const people = Array.from({ length: chats }, (_, index) => ({ ...petra, id: 5_000 + index }));
  for (const from of people) telegram.inject({ from, fields: { text: `question of ${from.id}` } });

  for (const { id } of people) {
    const texts = (await answers(telegram, 1, id, patience)).map(({ text }) => text);
    expect(texts).toEqual([`Answer to question of ${id}`]);
    expect(programsIn(folder).length).toBeLessThanOrEqual(maxProcesses);
  }
  const waiting = telegram.calls.flatMap(({ method, payload }) => {
    const text = String(payload['text']);
    return method === 'sendMessage' && text.startsWith('Waiting') ? [text] : [];
  });
  expect(waiting.length).toBeGreaterThan(people.length / 2);
  expect(waiting).toContain('Waiting for other sessions: 7 are ahead of you.');
}, 360_000);
