// Files that are sent with messages: every API takes them, history keeps them, and events leave out their bytes.
import type { PromptFile } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { file, filePart } from '../../support/files.ts';
import { type DoorHarness, startDoor, until } from './door-harness.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor();
});
afterAll(() => door.stop());

const list = file('list.txt', 'milk\neggs\n');
const part = filePart('list.txt', 'milk\neggs\n');

const begin = async (): Promise<string> => {
  const created = await door.post('/api/sessions', { assistant: 'notes' });
  return ((await created.json()) as { id: string }).id;
};
const ended = (id: string) =>
  until(async () =>
    (await door.gateway.turns('sebastian', id)).every(({ status }) => status === 'completed'),
  );

describe('a file', () => {
  it('is kept with its turn and can be downloaded, never as a page [app.attachments.kept]', async () => {
    const id = await begin();
    const sent = await door.post(`/api/sessions/${id}/prompts`, { message: 'Read it', files: [list] });
    const { turnId } = (await sent.json()) as { turnId: string };
    await ended(id);
    const details = (await (await door.fetch(`/api/sessions/${id}`)).json()) as { turns: unknown[] };
    expect(details.turns).toMatchObject([
      {
        prompt: {
          text: 'Read it',
          images: [],
          files: [{ name: 'list.txt', mediaType: 'text/plain', size: 10 }],
        },
      },
    ]);
    const download = await door.fetch(`/api/sessions/${id}/turns/${turnId}/files/0`);
    expect(await download.text()).toBe('milk\neggs\n');
    expect(download.headers.get('content-disposition')).toBe(
      `attachment; filename="list.txt"; filename*=UTF-8''list.txt`,
    );
    expect(download.headers.get('content-type')).toBe('application/octet-stream');
    expect(download.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await door.fetch(`/api/sessions/${id}/turns/${turnId}/files/1`)).status).toBe(404);
    const foreign = { headers: { 'x-notes-person': 'petra' } };
    expect((await door.fetch(`/api/sessions/${id}/turns/${turnId}/files/0`, foreign)).status).toBe(404);
  });

  it('is in events by name and size only [app.attachments.kept]', async () => {
    const id = await begin();
    await door.post(`/api/sessions/${id}/prompts`, { files: [list] });
    await until(async () =>
      (await door.store.eventsAfter(id, 0, 100)).some(({ event }) => event.type === 'turn.ended'),
    );
    const events = await door.store.eventsAfter(id, 0, 100);
    const light: PromptFile = { ...part, data: '' };
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'turn.started',
      prompt: [light],
      door: 'programs',
    });
    expect(JSON.stringify(events)).not.toContain(list.data);
    const [turn] = await door.gateway.turns('sebastian', id);
    expect(turn?.prompt).toEqual([part]);
  });

  it('stays with the beginning of a branch [app.attachments.kept]', async () => {
    const id = await begin();
    await door.post(`/api/sessions/${id}/prompts`, { files: [list] });
    await ended(id);
    const second = await door.post(`/api/sessions/${id}/prompts`, { message: 'Second' });
    const { turnId: before } = (await second.json()) as { turnId: string };
    await ended(id);
    const branched = await door.post(`/api/sessions/${id}/branches`, { before, message: 'Other' });
    const { session } = (await branched.json()) as { session: { id: string } };
    const [first] = await door.gateway.turns('sebastian', session.id);
    expect(first?.prompt).toEqual([part]);
    const download = await door.fetch(`/api/sessions/${session.id}/turns/${first?.id}/files/0`);
    expect(await download.text()).toBe('milk\neggs\n');
  });

  it('can be sent to the kitchen and to the notes [app.attachments.documents]', async () => {
    const kitchen = await door.post('/api/chat', { message: 'Cook this', files: [list] });
    await kitchen.text();
    const conversation = kitchen.headers.get('x-conversation-id') ?? '';
    expect((await door.gateway.turns('sebastian', conversation))[0]?.prompt).toEqual([
      part,
      { type: 'text', text: 'Cook this' },
    ]);
    const notes = await door.post('/api/claude/chat', { message: 'Note this', files: [list] });
    const { session_id: session } = (await notes.json()) as { session_id: string };
    expect((await door.gateway.turns('sebastian', session))[0]?.prompt).toEqual([
      part,
      { type: 'text', text: 'Note this' },
    ]);
  });

  it('counts towards what one person may store', async () => {
    const before = await door.store.storedBytes('sebastian');
    const id = await begin();
    await door.post(`/api/sessions/${id}/prompts`, { files: [file('a.txt', 'x'.repeat(90_000))] });
    await ended(id);
    expect((await door.store.storedBytes('sebastian')) - before).toBeGreaterThan(120_000);
  });

  it('is refused with a sentence if there are too many, or they are too large [app.attachments.limits]', async () => {
    const path = `/api/sessions/${await begin()}/prompts`;
    const tooMany = await door.post(path, { files: Array.from({ length: 11 }, () => list) });
    expect([tooMany.status, await tooMany.text()]).toEqual([
      400,
      expect.stringContaining('At most 10 files'),
    ]);
    const large = await door.post(path, { files: [{ name: 'a', data: 'A'.repeat(26 * 1024 * 1024) }] });
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('18.75 MiB')]);
  });
});
