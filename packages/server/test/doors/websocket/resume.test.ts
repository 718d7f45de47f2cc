// A page that lost its connection continues where it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, until } from '../http/door-harness.ts';
import { type CodeDoor, startCodeDoor } from './harness.ts';

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor();
});
afterAll(() => door.stop());

describe('a page that reconnects with its number', () => {
  it('sees each message once, wherever it was cut off [code.ws.resume]', async () => {
    const script = 'say 4 | todo weed | say 2';
    const id = await door.newSession();
    const whole = await door.open(id);
    whole.prompt(script);
    await whole.turnsEnded();
    await whole.until(() => JSON.stringify(whole.messages.at(-1)).includes('"running":null'));
    const length = whole.texts.length;
    expect(length).toBeGreaterThan(20);

    for (let cut = 0; cut <= length; cut += 1) {
      const id = await door.newSession();
      const first = await door.open(id);
      first.prompt(script);
      await first.until(() => first.texts.length >= cut);
      const seen = first.texts.slice(0, cut);
      // Messages that arrived at the same moment do not count: the number is that of the cut.
      const after = Number(first.greeting['after']) + cut;
      first.drop();
      const second = await door.open(id, { after });
      expect(second.greeting).toMatchObject({ reset: false, cached: 0, after });
      await second.until(() => seen.length + second.texts.length >= length);
      const all = [...seen, ...second.texts];
      expect(all).toHaveLength(length);
      expect(all.filter((text) => !/"type":"(queue_update|todo_update)"/.test(text))).toEqual(
        door.engine.sent.get(id),
      );
      second.drop();
    }
  });

  it('misses nothing when it resumes from the last number that it saw [code.ws.resume] [code.ws.uuid-dedupe]', async () => {
    const id = await door.newSession();
    const first = await door.open(id);
    const middle = gate();
    door.engine.gates.set('resume', middle.opened);
    first.prompt('say 3 | gate resume | say 2');
    await first.until(() => first.ofType('assistant').length === 1);
    const { after } = first;
    first.drop();
    middle.open();
    const second = await door.open(id, { after });
    await second.turnsEnded();
    const uuids = new Set([...first.frames, ...second.frames].map((frame) => JSON.parse(frame).uuid));
    expect(uuids.size).toBe(door.engine.sent.get(id)?.length);
  });

  it('gets what happened while it was away, even if nobody else watched [code.ws.resume]', async () => {
    const id = await door.newSession();
    const first = await door.open(id);
    first.prompt('say 1');
    await first.turnsEnded();
    await first.until(() => JSON.stringify(first.messages.at(-1)).includes('"running":null'));
    first.drop();
    const before = door.engine.sent.get(id)?.length ?? 0;
    await door.gateway.prompt({
      person: 'sebastian',
      session: id,
      prompt: [{ type: 'text', text: 'say 2' }],
      door: 'x',
    });
    await until(async () => (await door.gateway.state('sebastian', id)).running === undefined);
    await until(() => (door.engine.sent.get(id) ?? []).at(-1)?.includes('"result"') === true);
    const second = await door.open(id, { after: first.after });
    await second.turnsEnded();
    expect(second.frames).toEqual(door.engine.sent.get(id)?.slice(before));
  });

  it.each(['0', '1', '9007199254740991', '-1', 'x', '1e3', ''])(
    'starts over with the cached messages if the number (%j) is not available [code.ws.resume]',
    async (after) => {
      const id = await door.newSession();
      const first = await door.open(id);
      first.prompt('say 1');
      await first.turnsEnded();
      const second = await door.open(id, { after });
      expect(second.greeting['cached']).toBeGreaterThanOrEqual(2);
      expect(second.greeting['reset']).toBe(true);
      await second.until(() => second.texts.length === second.greeting['cached']);
      expect(second.texts.slice(0, 2)).toEqual(door.engine.transcriptOf(id));
    },
  );

  it('starts over if more has happened than is kept in memory [code.ws.resume]', async () => {
    const small = await startCodeDoor({ log: { events: 20, bytes: 1_000_000 } });
    const id = await small.newSession();
    const first = await small.open(id);
    const { after } = first;
    first.prompt('say 50');
    await first.turnsEnded();
    const second = await small.open(id, { after });
    expect(second.greeting).toMatchObject({ reset: true });
    await small.stop();
  });

  it('starts over if nobody watched for too long', async () => {
    const hasty = await startCodeDoor({ linger: { ms: 0, sessions: 100 } });
    const id = await hasty.newSession();
    const first = await hasty.open(id);
    first.prompt('say 1');
    await first.turnsEnded();
    first.drop();
    await until(async () => {
      const again = await hasty.open(id, { after: first.after });
      again.drop();
      return again.greeting['reset'] === true;
    });
    await hasty.stop();
  });

  it('starts over if too many other sessions have lost their pages since', async () => {
    const crowded = await startCodeDoor({ linger: { ms: 60_000, sessions: 1 } });
    const ids = [await crowded.newSession(), await crowded.newSession()];
    const pages = [await crowded.open(ids[0] ?? ''), await crowded.open(ids[1] ?? '')];
    pages[0]?.drop();
    await until(async () => {
      pages[1]?.drop();
      await pages[1]?.untilClosed();
      pages[1] = await crowded.open(ids[1] ?? '');
      const again = await crowded.open(ids[0] ?? '', { after: pages[0]?.after ?? 0 });
      again.drop();
      return again.greeting['reset'] === true;
    });
    await crowded.stop();
  });
});
