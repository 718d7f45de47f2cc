// The messages that a page may send, and the errors for everything else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../http/door-harness.ts';
import { type CodeDoor, startCodeDoor } from './harness.ts';
import type { PageClient } from './page-client.ts';

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor();
});
afterAll(() => door.stop());

/** The smallest PNG there is. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const image = (data = png, media_type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});

const waiting = (page: PageClient) =>
  (page.ofType('queue_update').at(-1)?.data?.['prompts'] ?? []) as { text: string; turn_id: string }[];

const errors = (page: PageClient) => page.ofType('error').map(({ error }) => error);

describe('a prompt', () => {
  it('may have images [code.ws.text]', async () => {
    const page = await door.open(await door.newSession());
    page.send({ type: 'text', content: [{ type: 'text', text: 'say 1' }, image()] });
    await page.turnsEnded();
    expect(door.engine.prompts.at(-1)).toEqual([
      { type: 'text', text: 'say 1' },
      { type: 'image', mediaType: 'image/png', data: png },
    ]);
  });

  it('with the same key is sent once', async () => {
    const page = await door.open(await door.newSession());
    const before = door.engine.prompts.length;
    for (let again = 0; again < 3; again += 1) page.send({ type: 'text', content: 'say 1', key: 'k1' });
    page.prompt('say 2');
    await page.turnsEnded(2);
    expect(door.engine.prompts.length).toBe(before + 2);
  });

  it('that differs from an earlier one with the same key is refused', async () => {
    const page = await door.open(await door.newSession());
    const before = door.engine.prompts.length;
    page.send({ type: 'text', content: 'say 1', key: 'k2' });
    page.send({ type: 'text', content: 'say 2', key: 'k2' });
    await page.until(() => page.ofType('error').length === 1);
    await page.turnsEnded();
    expect(page.ofType('error')).toEqual([
      { type: 'error', error: 'This key was already used for another message. Use a new one.' },
    ]);
    expect(door.engine.prompts.length).toBe(before + 1);
  });

  it('is cleaned of terminal control characters', async () => {
    const page = await door.open(await door.newSession());
    page.prompt('say 1 | \u001b[2Jhidden\u202e');
    await page.turnsEnded();
    expect(door.engine.prompts.at(-1)).toEqual([{ type: 'text', text: 'say 1 | [2Jhidden' }]);
  });

  it('that steers is added to the running turn if the program accepts it', async () => {
    const page = await door.open(await door.newSession());
    page.prompt('wait');
    await page.until(() => page.ofType('user').length === 1);
    page.send({ type: 'text', content: 'and the beans', steer: true });
    page.send({ type: 'text', content: 'not now', steer: true });
    await page.until(() => waiting(page).length === 1);
    expect(waiting(page)[0]?.text).toBe('not now');
    expect(door.engine.steered.at(-1)).toEqual([{ type: 'text', text: 'and the beans' }]);
    page.send({ type: 'interrupt' });
    await page.turnsEnded(2);
  });

  it('that steers is added once, even if a page sends it again over another socket or after the turn', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    const [steered, prompts] = [door.engine.steered.length, door.engine.prompts.length];
    page.prompt('wait');
    await page.until(() => page.ofType('user').length === 1);
    const message = { type: 'text', content: 'and the peas', steer: true, key: 'k3' };
    page.send(message);
    page.send(message);
    await until(() => door.engine.steered.length > steered);
    page.socket.terminate();
    const again = await door.open(id);
    again.send(message);
    again.send({ type: 'interrupt' });
    await again.turnsEnded();
    again.send(message);
    again.prompt('say 1');
    await again.turnsEnded(2);

    expect(door.engine.steered.slice(steered)).toEqual([[{ type: 'text', text: 'and the peas' }]]);
    expect(door.engine.prompts.length).toBe(prompts + 2);
  });

  it('that is already queued does not steer when it is sent again', async () => {
    const page = await door.open(await door.newSession());
    const steered = door.engine.steered.length;
    page.prompt('wait');
    await page.until(() => page.ofType('user').length === 1);
    page.send({ type: 'text', content: 'say 1', key: 'k4' });
    await page.until(() => waiting(page).length === 1);
    page.send({ type: 'text', content: 'say 1', steer: true, key: 'k4' });
    page.send({ type: 'interrupt' });
    await page.turnsEnded(2);

    expect(door.engine.steered.length).toBe(steered);
  });

  it('that steers while nothing runs is an ordinary prompt', async () => {
    const page = await door.open(await door.newSession());
    page.send({ type: 'text', content: 'say 1', steer: true });
    await page.turnsEnded();
    expect(page.ofType('assistant')).toHaveLength(1);
  });
});

describe('the queue', () => {
  it('is sent whenever it changes, and its prompts can be removed and moved [code.ws.queue-update]', async () => {
    const id = await door.newSession();
    const [page, other] = [await door.open(id), await door.open(id)];
    for (const text of ['wait', 'say 1', 'say 2', 'say 3']) page.prompt(text);
    await other.until(() => waiting(other).length === 3);
    expect(waiting(other).map(({ text }) => text)).toEqual(['say 1', 'say 2', 'say 3']);
    const [one, two, three] = waiting(other).map((prompt) => prompt.turn_id);
    other.send({ type: 'queue_reorder', order: [three, two, one] });
    await page.until(() => waiting(page)[0]?.text === 'say 3');
    other.send({ type: 'queue_remove', turnId: two });
    await page.until(() => waiting(page).length === 2);
    expect(waiting(page).map(({ text }) => text)).toEqual(['say 3', 'say 1']);
    page.send({ type: 'interrupt' });
    await other.turnsEnded(3);
    await other.until(() => waiting(other).length === 0);
    expect(door.engine.prompts.slice(-2)).toEqual([
      [{ type: 'text', text: 'say 3' }],
      [{ type: 'text', text: 'say 1' }],
    ]);
  });

  it('names the running turn, so that a page does not depend on a result', async () => {
    const page = await door.open(await door.newSession());
    page.prompt('die');
    await page.until(() => page.ofType('queue_update').at(-1)?.data?.['running'] === null);
    const runs = page.ofType('queue_update').map(({ data }) => typeof data?.['running']);
    expect(runs).toEqual(['string', 'object']);
  });

  it('refuses prompts with an error message when it is full [code.ws.error]', async () => {
    const page = await door.open(await door.newSession());
    for (let count = 0; count < 22; count += 1) page.prompt('wait');
    await page.until(() => errors(page).length > 0);
    expect(errors(page)[0]).toBe(
      'This session already has 20 prompts waiting. Wait for some to be answered.',
    );
  });
});

describe('an interrupt', () => {
  it('stops the turn and leaves the session usable [code.ws.interrupt]', async () => {
    const page = await door.open(await door.newSession());
    page.prompt('wait | say 5');
    await page.until(() => page.ofType('user').length === 1);
    page.send({ type: 'interrupt' });
    await page.turnsEnded();
    expect(page.ofType('assistant')).toEqual([]);
    expect(errors(page)).toEqual([]);
    page.prompt('say 1');
    await page.turnsEnded(2);
    expect(page.ofType('assistant')).toHaveLength(1);
  });

  it('does nothing if there is nothing to stop', async () => {
    const page = await door.open(await door.newSession());
    page.send({ type: 'interrupt' });
    page.prompt('say 1');
    await page.turnsEnded();
    expect(errors(page)).toEqual([]);
  });
});

describe('model and mode', () => {
  it('change for the session, and the next page sees them [code.ws.set-model]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.send({ type: 'set_model', model: 'opus' });
    page.send({ type: 'set_permission_mode', mode: 'acceptEdits' });
    await until(() => door.engine.configured.at(-1)?.['permissionMode'] === 'acceptEdits');
    expect(door.engine.configured.at(-1)).toMatchObject({ model: 'opus', permissionMode: 'acceptEdits' });
    await until(async () => (await door.open(id)).greeting['permission_mode'] === 'acceptEdits');
    expect((await door.open(id)).greeting['model']).toBe('opus');
  });

  it('reach the other pages at once, whichever page changed them [code.ws.set-model] [code.ws.all-clients]', async () => {
    const id = await door.newSession();
    const [page, other] = [await door.open(id), await door.open(id)];
    page.send({ type: 'set_model', model: 'opus' });
    await other.until(() => other.texts.length === 1);
    page.send({ type: 'set_permission_mode', mode: 'plan' });
    await other.until(() => other.texts.length === 2);
    await door.gateway.configure('sebastian', id, { model: undefined, mcpConfig: { token: 'secret' } });
    await door.gateway.configure('sebastian', id, { effort: 'high' });
    await other.until(() => other.texts.length === 3);
    page.prompt('say 1');
    await other.turnsEnded();
    await page.turnsEnded();
    const seq = expect.any(Number);
    expect(other.messages.slice(0, 3)).toEqual([
      { type: 'settings_update', data: { model: 'opus', seq } },
      { type: 'settings_update', data: { permission_mode: 'plan', seq } },
      { type: 'settings_update', data: { model: null, seq } },
    ]);
    expect(page.texts).toEqual(other.texts);
    expect(other.texts.join()).not.toContain('secret');
    expect((await door.open(id, { after: other.after })).greeting).toMatchObject({
      model: null,
      permission_mode: 'plan',
      reset: false,
    });
  });

  it('are current in the greeting, even if the program left the chosen mode by itself [code.ws.connected]', async () => {
    const id = await door.newSession();
    await door.gateway.configure('sebastian', id, { permissionMode: 'plan' });
    expect((await door.open(id)).greeting['permission_mode']).toBe('plan');
    door.engine.modes.set(id, 'acceptEdits');
    expect((await door.open(id)).greeting['permission_mode']).toBe('acceptEdits');
  });

  it('stay unchanged if the engine refuses them, and the page gets an error', async () => {
    const id = await door.newSession({ model: 'opus' });
    const page = await door.open(id);
    page.send({ type: 'set_model', model: 'unknown' });
    await page.until(() => errors(page).length === 1);
    expect(errors(page)).toEqual(['There is no such model.']);
    expect((await door.open(id)).greeting['model']).toBe('opus');
  });
});

describe('a turn that fails', () => {
  it('is reported as an error, and the session stays usable [code.ws.error]', async () => {
    const id = await door.newSession();
    const [page, other] = [await door.open(id), await door.open(id)];
    page.prompt('die');
    await other.turnsEnded();
    expect(other.ofType('error')).toEqual([
      { type: 'error', error: 'The program has died.', data: { seq: expect.any(Number) } },
    ]);
    page.prompt('say 1');
    await other.turnsEnded(2);
  });
});

describe('todos', () => {
  it('are sent when they change [code.ws.todo-update]', async () => {
    const page = await door.open(await door.newSession());
    page.prompt('todo weed | todo water');
    await page.turnsEnded();
    const seq = expect.any(Number);
    expect(page.ofType('todo_update')).toEqual([
      {
        type: 'todo_update',
        data: { todos: [{ content: 'weed', status: 'pending', activeForm: 'weed', text: 'weed' }], seq },
      },
      {
        type: 'todo_update',
        data: { todos: [{ content: 'water', status: 'pending', activeForm: 'water', text: 'water' }], seq },
      },
    ]);
  });
});

describe('an invalid message', () => {
  const unknown =
    'Unknown message type. Known types: text, permission_response, question_answer, interrupt, set_model, set_permission_mode, queue_remove, queue_reorder.';

  it.each([
    ['not JSON', 'hello', 'The message is not valid JSON.'],
    ['truncated JSON', '{"type":"text","content":"say 1"', 'The message is not valid JSON.'],
    ['not an object', '[]', 'A message is a JSON object with a `type`.'],
    ['null', 'null', 'A message is a JSON object with a `type`.'],
    ['without a type', '{}', unknown],
    ['of an unknown type', '{"type":"shutdown"}', unknown],
    ['of a type that every object has', '{"type":"constructor"}', unknown],
    ['a prompt without content', '{"type":"text"}', /^`content` must be text, .* not empty\.$/],
    ['a blank prompt', '{"type":"text","content":"  "}', /^`content` must be/],
    ['a prompt without parts', '{"type":"text","content":[]}', /^`content` must be/],
    ['a prompt of invisible characters', '{"type":"text","content":"\\u0007 "}', '`content` is empty.'],
    [
      'a prompt with a blank part',
      JSON.stringify({ type: 'text', content: [{ type: 'text', text: ' \n' }] }),
      '`content` is empty.',
    ],
    [
      'an image of an unknown type',
      JSON.stringify({ type: 'text', content: [image(png, 'image/bmp')] }),
      /^`content` must be .*JPEG, PNG, GIF or WebP/,
    ],
    [
      'with `__proto__`',
      '{"type":"text","content":"say 1","__proto__":{"steer":true}}',
      'A message may not have a field `__proto__`.',
    ],
    [
      'with a nested `__proto__`',
      '{"type":"permission_response","requestId":"x","behavior":"allow","toolName":"Bash","alwaysAllow":false,"updatedInput":{"a":[{"\\u005f_proto__":1}]}}',
      'A message may not have a field `__proto__`.',
    ],
    [
      'an answer that is neither allow nor deny',
      '{"type":"permission_response","requestId":"x","behavior":"maybe","toolName":"Bash","alwaysAllow":false}',
      /^`behavior`: /,
    ],
    ['a queue with invalid ids', '{"type":"queue_reorder","order":["../x"]}', /^`order.0`: /],
    [
      'an image with invalid bytes',
      JSON.stringify({ type: 'text', content: [image(btoa('GIF8?not'))] }),
      /not supported/,
    ],
    [
      'an image with the wrong type',
      JSON.stringify({ type: 'text', content: [image(png, 'image/jpeg')] }),
      /its bytes are image\/png/,
    ],
    [
      'a prompt that is too long',
      JSON.stringify({ type: 'text', content: 'x'.repeat(10_001) }),
      /^`content` is longer than 10000 characters/,
    ],
  ])('(%s) is refused with an error message and has no effect [code.ws.error]', async (_, text, sentence) => {
    const page = await door.open(await door.newSession());
    const before = door.engine.prompts.length;
    page.send(text);
    await page.until(() => errors(page).length === 1);
    expect(errors(page)[0]).toMatch(sentence);
    expect(door.engine.prompts.length).toBe(before);
    page.prompt('say 1');
    await page.until(() => page.ofType('result').length === 1);
  });

  it('(bytes) is refused too', async () => {
    const page = await door.open(await door.newSession());
    page.socket.send(Buffer.from('{"type":"text","content":"say 1"}'), { binary: true });
    await page.until(() => errors(page).length === 1);
    expect(errors(page)).toEqual(['The message is not valid JSON.']);
  });

  it('(many at once) is answered one by one while other pages are served', async () => {
    const [flooding, calm] = [
      await door.open(await door.newSession()),
      await door.open(await door.newSession()),
    ];
    for (let count = 0; count < 1_000; count += 1) flooding.send('nonsense');
    calm.prompt('say 3');
    await calm.turnsEnded();
    await flooding.until(() => errors(flooding).length === 1_000);
  });
});
