// Permissions appear on every page, and are settled once and everywhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../http/door-harness.ts';
import { type CodeDoor, startCodeDoor } from './harness.ts';
import type { Message, PageClient } from './page-client.ts';

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor();
});
afterAll(() => door.stop());

async function asked(page: PageClient, count = 1): Promise<Message> {
  await page.until(() => page.ofType('control_request').length >= count);
  return page.ofType('control_request').at(-1) ?? {};
}

const idOf = ({ data }: Message) => String(data?.['request_id']);

function answer(page: PageClient, request: Message, fields: object = {}): void {
  page.send({
    type: 'permission_response',
    requestId: idOf(request),
    subtype: 'can_use_tool',
    behavior: 'allow',
    toolName: request.data?.['tool_name'],
    alwaysAllow: false,
    ...fields,
  });
}

const settled = (page: PageClient, count = 1) =>
  page.until(() => page.ofType('control_settled').length >= count);

describe('a permission', () => {
  it('reaches every page with the tool, its input and everything else that the program sent [code.ws.control-request] [code.permission.reaches-all]', async () => {
    const id = await door.newSession();
    const [first, second] = [await door.open(id), await door.open(id)];
    first.prompt('ask Bash');
    const request = await asked(first);
    expect(request).toEqual({
      type: 'control_request',
      data: {
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: 'toolu_Bash',
        description: 'Uses Bash',
        display_name: 'Bash',
        seq: expect.any(Number),
      },
    });
    expect(await asked(second)).toEqual(request);
    answer(second, request);
    await Promise.all([first.turnsEnded(), second.turnsEnded()]);
  });

  it('that is allowed lets the tool run and is settled on every page [code.permission.allow] [code.ws.permission-response] [code.ws.control-settled]', async () => {
    const id = await door.newSession();
    const [first, second] = [await door.open(id), await door.open(id)];
    first.prompt('ask Bash');
    const request = await asked(first);
    answer(second, request, { updatedInput: { command: 'ls -l' } });
    await Promise.all([settled(first), settled(second)]);
    const expected = {
      type: 'control_settled',
      data: { request_id: idOf(request), behavior: 'allow', reason: 'decided', seq: expect.any(Number) },
    };
    expect(first.ofType('control_settled')).toEqual([expected]);
    expect(second.ofType('control_settled')).toEqual([expected]);
    await first.turnsEnded();
    expect(door.engine.decisions.at(-1)).toEqual({
      behavior: 'allow',
      scope: 'once',
      updatedInput: { command: 'ls -l' },
    });
  });

  it('that is denied gives the tool the message [code.permission.deny-with-message]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('ask Bash');
    answer(page, await asked(page), { behavior: 'deny', message: 'Not today.', alwaysAllow: true });
    await page.turnsEnded();
    expect(door.engine.decisions.at(-1)).toEqual({ behavior: 'deny', message: 'Not today.' });
  });

  it('blocks its tool until somebody decides [code.permission.blocks-tool]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    const before = door.engine.decisions.length;
    page.prompt('ask Bash | say 1');
    const request = await asked(page);
    expect((await door.gateway.state('sebastian', id)).permissions).toHaveLength(1);
    expect(door.engine.decisions).toHaveLength(before);
    expect(page.ofType('assistant')).toEqual([]);
    answer(page, request);
    await page.turnsEnded();
  });

  it('for the rest of the session is not asked again, except for questions [code.permission.always-allow]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('ask Bash | ask Bash | ask Write');
    answer(page, await asked(page), { alwaysAllow: true });
    const second = await asked(page, 2);
    expect(second.data?.['tool_name']).toBe('Write');
    answer(page, second);
    await page.turnsEnded();
    page.prompt('ask Bash');
    await page.turnsEnded(2);
    expect(page.ofType('control_request')).toHaveLength(2);
    expect(door.engine.decisions.slice(-4)).toEqual([
      { behavior: 'allow', scope: 'session' },
      { behavior: 'allow', scope: 'session' },
      { behavior: 'allow', scope: 'once' },
      { behavior: 'allow', scope: 'session' },
    ]);
  });

  it('for the rest of the session settles other open ones of the same tool [code.permission.always-settles-pending]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('ask-all Bash Write Bash');
    await asked(page, 3);
    const [first, write] = page.ofType('control_request');
    answer(page, first ?? {}, { alwaysAllow: true });
    await settled(page, 2);
    expect(page.ofType('control_settled').map(({ data }) => data?.['reason'])).toEqual([
      'decided',
      'allowed-for-session',
    ]);
    answer(page, write ?? {}, { behavior: 'deny' });
    await page.turnsEnded();
  });

  it('is settled once: the first of two answers counts [code.permission.settles-once]', async () => {
    const id = await door.newSession();
    const [first, second] = [await door.open(id), await door.open(id)];
    first.prompt('ask Bash | say 1');
    const request = await asked(second);
    await asked(first);
    answer(first, request);
    answer(second, request, { behavior: 'deny' });
    answer(first, request, { behavior: 'deny' });
    await Promise.all([first.turnsEnded(), second.turnsEnded()]);
    expect(first.ofType('control_settled')).toHaveLength(1);
    expect(second.ofType('control_settled')).toEqual(first.ofType('control_settled'));
  });

  it('silently ignores answers that are late or for another session, tool or id [code.permission.unknown-answer-ignored] [code.permission.bound]', async () => {
    const [id, other] = [await door.newSession(), await door.newSession()];
    const [page, elsewhere] = [await door.open(id), await door.open(other)];
    page.prompt('ask Bash');
    const request = await asked(page);
    answer(elsewhere, request);
    answer(page, request, { toolName: 'Write' });
    answer(page, request, { requestId: '11111111-1111-4111-8111-111111111111' });
    answer(page, request, { requestId: 'the-program-s-own' });
    const before = door.engine.configured.length;
    page.send({ type: 'set_permission_mode', mode: 'default' });
    elsewhere.send({ type: 'set_permission_mode', mode: 'default' });
    await until(() => door.engine.configured.length === before + 2);
    expect((await door.gateway.state('sebastian', id)).permissions).toHaveLength(1);
    answer(page, request, { behavior: 'deny', message: 'this one' });
    await page.turnsEnded();
    answer(page, request);
    page.prompt('say 1');
    await page.turnsEnded(2);
    expect(door.engine.decisions.at(-1)).toEqual({ behavior: 'deny', message: 'this one' });
    expect([...page.ofType('error'), ...elsewhere.ofType('error')]).toEqual([]);
  });

  it('without an answer never counts as an allow, and is closed with the reason when the turn ends [code.permission.no-answer-is-no-allow] [code.permission.process-end-clears]', async () => {
    const id = await door.newSession();
    const [first, second] = [await door.open(id), await door.open(id)];
    first.prompt('ask Bash');
    const request = await asked(first);
    second.send({ type: 'interrupt' });
    await Promise.all([settled(first), settled(second)]);
    expect(first.ofType('control_settled')).toEqual([
      {
        type: 'control_settled',
        data: {
          request_id: idOf(request),
          behavior: 'deny',
          reason: expect.stringMatching(/cancelled|turn-ended/),
          seq: expect.any(Number),
        },
      },
    ]);
    await first.turnsEnded();
    expect(door.engine.decisions.at(-1)).toMatchObject({ behavior: 'deny' });
  });

  it('stays open when its page has gone, and the next page can answer it', async () => {
    const id = await door.newSession();
    const first = await door.open(id);
    first.prompt('ask Bash');
    await asked(first);
    first.drop();
    const second = await door.open(id);
    const [request] = second.greeting['permissions'] as Record<string, unknown>[];
    answer(second, { data: request ?? {} });
    await second.turnsEnded();
    expect(door.engine.decisions.at(-1)).toMatchObject({ behavior: 'allow' });
  });
});

describe('a question of the program', () => {
  it('is answered with the chosen labels, next to the questions [code.ws.question-answer]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('ask AskUserQuestion');
    const request = await asked(page);
    expect(request.data?.['requires_user_interaction']).toBe(true);
    page.send({ type: 'question_answer', questionId: idOf(request), answers: { 'Red or blue?': 'Red' } });
    await page.turnsEnded();
    expect(door.engine.decisions.at(-1)).toEqual({
      behavior: 'allow',
      scope: 'once',
      updatedInput: { questions: [{ question: 'Red or blue?' }], answers: { 'Red or blue?': 'Red' } },
    });
  });

  it('may be answered by its position [code.ws.question-answer]', async () => {
    const page = await door.open(await door.newSession());
    page.prompt('ask AskUserQuestion');
    const request = await asked(page);
    page.send({ type: 'question_answer', questionId: idOf(request), answers: { q0: 'Blue' } });
    await page.turnsEnded();
    expect(door.engine.decisions.at(-1)).toMatchObject({
      updatedInput: { answers: { 'Red or blue?': 'Blue' } },
    });
  });

  it.each(['q1', 'q-1', 'red or blue?', '0', 'constructor'])(
    'stays open when an answer is for %j, which it does not ask [code.ws.question-unknown]',
    async (key) => {
      const page = await door.open(await door.newSession());
      const before = door.engine.decisions.length;
      page.prompt('ask AskUserQuestion');
      const request = await asked(page);
      page.send({ type: 'question_answer', questionId: idOf(request), answers: { q0: 'Red', [key]: 'Red' } });
      await page.until(() => page.ofType('error').length === 1);
      expect(page.ofType('error')[0]?.error).toMatch(`There is no question \`${key}\`.`);
      expect(door.engine.decisions).toHaveLength(before);
      page.send({ type: 'question_answer', questionId: idOf(request), answers: { q0: 'Red' } });
      await page.until(() => page.ofType('control_settled').length === 1);
    },
  );

  it('is not a permission for a command, which cannot be answered like one', async () => {
    const page = await door.open(await door.newSession());
    page.prompt('ask Bash');
    const request = await asked(page);
    page.send({ type: 'question_answer', questionId: idOf(request), answers: {} });
    await page.until(() => page.ofType('error').length === 1);
    expect(page.ofType('error')[0]?.error).toBe('This request asks no question.');
    expect(page.ofType('control_settled')).toEqual([]);
    answer(page, request, { behavior: 'deny' });
    await page.until(() => page.ofType('control_settled').length === 1);
  });

  it('can be identified by its tool call, and can have several labels', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('ask AskUserQuestion');
    await asked(page);
    page.send({
      type: 'question_answer',
      questionId: 'toolu_AskUserQuestion',
      answers: { 'Red or blue?': ['Red', 'Blue'] },
    });
    await page.turnsEnded();
    expect(door.engine.decisions.at(-1)).toMatchObject({
      updatedInput: { answers: { 'Red or blue?': 'Red, Blue' } },
    });
  });
});
