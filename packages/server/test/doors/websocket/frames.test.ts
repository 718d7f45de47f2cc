// Frames reach pages verbatim, in order, without gaps or duplicates.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, until } from '../http/door-harness.ts';
import { type CodeDoor, startCodeDoor } from './harness.ts';
import type { PageClient } from './page-client.ts';

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor();
});
afterAll(() => door.stop());

const uuids = (texts: readonly string[]) => texts.map((text) => (JSON.parse(text) as { uuid?: string }).uuid);
const sent = (id: string) => door.engine.sent.get(id) ?? [];

describe('frames', () => {
  it('reach a page byte for byte and in order [code.proxy.verbatim] [code.ws.text]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('say 3');
    await page.turnsEnded();
    page.prompt('say 1');
    await page.turnsEnded(2);
    expect(page.frames).toEqual(sent(id));
    expect(door.engine.prompts.slice(-2)).toEqual([
      [{ type: 'text', text: 'say 3' }],
      [{ type: 'text', text: 'say 1' }],
    ]);
  });

  it.each([
    ['of a type from the future', '{"type":"hologram","uuid":"x","beams":[1,2]}'],
    ['with its keys in an unusual order and spaces between them', '{ "beams" : 1.0 , "type" : "hologram" }'],
    ['without a type', '{"message":"?"}'],
    ['with separators that JavaScript once treated as line ends', '{"type":"user","text":"a\u2028b\u2029c"}'],
    ['with characters of every encoded length', '{"type":"user","text":"é漢🥕\\ud83e\\udd55\\u0000"}'],
    ['with numbers that JavaScript cannot represent', '{"type":"system","n":12345678901234567890.10}'],
    ['that has the same key twice', '{"type":"system","a":1,"a":2}'],
  ])('pass unchanged: one %s [code.proxy.unknown-types]', async (_, raw) => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt(`raw ${raw}`);
    await page.turnsEnded();
    expect(page.frames).toContain(raw);
  });

  it('of many megabytes pass completely', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('long 10000000');
    await page.turnsEnded();
    // Compares the length first, because a difference of this size could not be displayed.
    const [whole] = page.frames.filter((frame) => frame.length > 10_000_000);
    expect(whole === sent(id).find((frame) => frame.length > 10_000_000)).toBe(true);
  });

  it('outside of any turn arrive too', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    await until(() => door.engine.woken.includes(id));
    const raw = '{"type":"system","subtype":"status"}';
    door.engine.publish?.({ type: 'frame', raw, means: [] });
    await page.until(() => page.frames.length === 1);
    expect(page.frames).toEqual([raw]);
  });

  it("differ from Parley's own messages by their type [code.proxy.own-messages-apart]", async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('todo weed | ask Bash | say 1');
    await page.until(() => page.ofType('control_request').length === 1);
    page.send({
      type: 'permission_response',
      requestId: page.ofType('control_request')[0]?.data?.['request_id'],
      behavior: 'allow',
      toolName: 'Bash',
      alwaysAllow: false,
    });
    await page.turnsEnded();
    expect(new Set(page.messages.map(({ type }) => type))).toEqual(
      new Set(
        ['control_request', 'control_settled', 'queue_update', 'todo_update'].concat([
          'assistant',
          'result',
          'stream_event',
          'system',
          'user',
        ]),
      ),
    );
  });
});

describe('the greeting', () => {
  it('contains everything that a new page needs [code.ws.connected]', async () => {
    const id = await door.newSession({ model: 'opus', permissionMode: 'plan' });
    const first = await door.open(id);
    expect(first.greeting).toEqual({
      session: {
        id,
        title: 'Untitled',
        workingDir: '/work/garden',
        gitBranch: 'main',
        createdAt: '1970-01-01T00:00:00.000Z',
        updatedAt: '1970-01-01T00:00:00.001Z',
        status: 'archived',
        mode: 'ui',
        archived: false,
        working: false,
        waiting: false,
        sizeBytes: 0,
        sandbox: { kind: 'none', reason: 'off', required: false },
      },
      prompts: [],
      running: null,
      permissions: [],
      todos: [],
      model: 'opus',
      permission_mode: 'plan',
      cached: 0,
      after: expect.any(Number),
      reset: false,
      demo: true,
    });
    first.prompt('todo weed | ask Bash');
    first.prompt('say 1');
    await first.until(() => first.ofType('control_request').length === 1);
    await first.until(() => JSON.stringify(first.ofType('queue_update').at(-1)).includes('say 1'));
    const second = await door.open(id);
    const { seq: _, ...asked } = first.ofType('control_request')[0]?.data ?? {};
    expect(second.greeting).toMatchObject({
      prompts: [{ text: 'say 1', images: 0, turn_id: expect.any(String), queued_at: expect.any(Number) }],
      running: expect.any(String),
      permissions: [
        {
          ...asked,
          tool_name: 'Bash',
          tool_input: { command: 'ls' },
        },
      ],
      todos: [{ content: 'weed', status: 'pending', activeForm: 'weed', text: 'weed' }],
    });
    first.send({ type: 'interrupt' });
    await second.turnsEnded(2);
  });

  it("contains the program's models, and earlier pages receive them later [code.ws.connected]", async () => {
    const opus = { value: 'opus', displayName: 'Opus', description: 'For hard tasks' };
    const id = await door.newSession();
    const up = gate();
    door.engine.gates.set('up', up.opened);
    const [early, other] = await Promise.all([door.open(id), door.open(id)]);
    door.engine.offered = [opus];
    up.open();
    await early.until(() => early.texts.length === 1);
    await other.until(() => other.texts.length === 1);
    expect(early.greeting).not.toHaveProperty('models');
    expect(early.messages).toEqual([
      { type: 'settings_update', data: { models: [opus], seq: expect.any(Number) } },
    ]);
    expect(other.texts).toEqual(early.texts);

    const later = await door.open(id);
    expect(later.greeting['models']).toEqual([opus]);
    later.prompt('say 1');
    await later.turnsEnded();
    await early.turnsEnded();
    expect(early.ofType('settings_update')).toHaveLength(1);
    const back = await door.open(id, { after: early.after });
    expect(back.greeting).toMatchObject({ reset: false, models: [opus] });
    door.engine.offered = undefined;
  });

  it('comes before the program is awake, and starts it once for all pages that connect at the same time [code.session.activate-on-connect]', async () => {
    const id = await door.newSession();
    expect(door.engine.woken).not.toContain(id);
    await Promise.all([door.open(id), door.open(id), door.open(id)]);
    await until(() => door.engine.woken.includes(id));
  });

  it('is followed by an error if the program cannot start [code.ws.error]', async () => {
    const id = await door.newSession({ broken: true });
    const page = await door.open(id);
    await page.until(() => page.texts.length === 1);
    expect(page.texts).toEqual(['{"type":"error","error":"The program is not there."}']);
  });
});

describe('a page that connects later', () => {
  it('gets the lines of the transcript, then the live frames [code.ws.cached-then-live]', async () => {
    const id = await door.newSession();
    const first = await door.open(id);
    first.prompt('say 2');
    await first.turnsEnded();
    const lines = [...door.engine.transcriptOf(id)];
    const second = await door.open(id);
    await second.until(() => second.texts.length === Number(second.greeting['cached']));
    expect(second.texts.slice(0, lines.length)).toEqual(lines);
    second.prompt('say 1');
    await second.turnsEnded(2);
    await first.turnsEnded(2);
    expect(second.texts.at(-1)).toBe(first.texts.at(-1));
  });

  it('gets a message once if it is both in the transcript and live [code.ws.uuid-dedupe]', async () => {
    const id = await door.newSession();
    const later = gate();
    door.engine.gates.set('later', later.opened);
    const first = await door.open(id);
    first.prompt('say 2 | gate later | say 1');
    await first.until(() => first.ofType('assistant').length === 1);
    const second = await door.open(id);
    later.open();
    await Promise.all([first.turnsEnded(), second.turnsEnded()]);
    expectEachOnce(second, id);
  });

  it('misses nothing that the program has sent but not written yet [code.ws.cached-then-live]', async () => {
    const id = await door.newSession();
    door.engine.isTranscriptLate = true;
    const first = await door.open(id);
    first.prompt('say 2');
    await first.turnsEnded();
    const second = await door.open(id);
    await second.until(() => second.texts.length === Number(second.greeting['cached']));
    door.engine.isTranscriptLate = false;
    expect(second.messages.map(({ type }) => type)).toEqual(['system', 'user', 'assistant', 'result']);
    expect(second.frames.every((frame) => sent(id).includes(frame))).toBe(true);
  });

  it('gets once what the program has written but not sent yet, with the same numbers [code.ws.uuid-dedupe]', async () => {
    const id = await door.newSession();
    const later = gate();
    door.engine.gates.set('early', later.opened);
    const early = '{"type":"assistant","uuid":"11111111-1111-4111-8111-111111111111","message":{}}';
    const first = await door.open(id);
    first.prompt(`gate early | raw ${early} | say 1`);
    await first.until(() => first.ofType('user').length === 1);
    door.engine.transcriptOf(id).push(early);
    const second = await door.open(id);
    later.open();
    await second.turnsEnded();
    await first.turnsEnded();
    expect(second.texts.filter((text) => text === early)).toHaveLength(1);
    await first.until(() => JSON.stringify(first.messages.at(-1)).includes('"running":null'));
    await second.until(() => JSON.stringify(second.messages.at(-1)).includes('"running":null'));
    expect(second.after).toBe(first.after);
  });

  it('gets the pieces of an unfinished message, but not of complete ones', async () => {
    const id = await door.newSession();
    const later = gate();
    door.engine.gates.set('middle', later.opened);
    const start = '{"type":"stream_event","event":{"type":"message_start"},"parent_tool_use_id":null}';
    const piece = '{"type":"stream_event","event":{"type":"content_block_delta"},"parent_tool_use_id":null}';
    const first = await door.open(id);
    first.prompt(`say 5 | raw ${start} | raw ${piece} | gate middle | say 1`);
    await first.until(() => first.texts.includes(piece));
    const second = await door.open(id);
    await second.until(() => second.texts.length === Number(second.greeting['cached']));
    expect(second.texts.filter((text) => text.startsWith('{"type":"stream_event"'))).toEqual([start, piece]);
    expect(second.ofType('stream_event')).toHaveLength(2);
    later.open();
    await second.turnsEnded();
  });

  it('joins a session that was started elsewhere', async () => {
    const id = door.sessions.startedElsewhere('sebastian');
    door.engine.transcriptOf(id).push('{"type":"user","uuid":"u1"}');
    const page = await door.open(id);
    await page.until(() => page.texts.length === 1);
    expect(page.texts).toEqual(['{"type":"user","uuid":"u1"}']);
    page.prompt('say 1');
    await page.turnsEnded();
  });

  function expectEachOnce(page: PageClient, id: string): void {
    const seen = uuids(page.frames);
    expect(new Set(seen).size).toBe(seen.length);
    const whole = sent(id).filter((frame) => !frame.includes('"stream_event"'));
    expect(seen).toEqual(expect.arrayContaining(uuids(whole)));
  }
});

describe('all pages of a session', () => {
  it('get the same messages in the same order [code.ws.all-clients]', async () => {
    const id = await door.newSession();
    const pages = await Promise.all(Array.from({ length: 5 }, () => door.open(id)));
    pages[0]?.prompt('say 20 | todo weed | say 5');
    pages[1]?.prompt('say 3');
    await Promise.all(pages.map((page) => page.turnsEnded(2)));
    await Promise.all(
      pages.map((page) => page.until(() => JSON.stringify(page.messages.at(-1)).includes('"running":null'))),
    );
    for (const page of pages) expect(page.texts).toEqual(pages[0]?.texts);
    expect(pages[0]?.frames).toEqual(sent(id));
  });

  it('are served while fifty sessions run at once', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => door.newSession()));
    const pages = await Promise.all(ids.map((id) => door.open(id)));
    for (const page of pages) page.prompt('say 20 | say 20');
    await Promise.all(pages.map((page) => page.turnsEnded()));
    for (const [index, id] of ids.entries()) expect(pages[index]?.frames).toEqual(sent(id));
  });
});
