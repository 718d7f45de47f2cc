// The original page of Claude Code sessions, which knows only the messages of its specification: replays what it sends and
// checks what it reads.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeDoor, startCodeDoor } from './harness.ts';

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor();
});
afterAll(() => door.stop());

it('shows a permission that was open before it joined, and answers it [code.ws.control-request-joining]', async () => {
  const body = { workingDir: '/work', title: 'Garden', mode: 'ui', clientVersion: 3, theme: 'dark' };
  const created = await door.fetch('/api/claude/sessions', { method: 'POST', body });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const first = await door.open(id);
  first.prompt('todo weed | ask Bash | say 1');
  await first.until(() => first.ofType('control_request').length === 1);

  const joined = await door.open(id);
  await joined.until(() => joined.ofType('control_request').length === 1);
  const { data } = joined.ofType('control_request')[0] ?? {};
  expect(data).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'ls' } });
  expect(data?.['request_id']).toBe(first.ofType('control_request')[0]?.data?.['request_id']);
  joined.send({
    type: 'permission_response',
    requestId: data?.['request_id'],
    subtype: 'can_use_tool',
    behavior: 'allow',
    toolName: 'Bash',
    alwaysAllow: false,
    clientTime: 1,
  });
  await joined.turnsEnded();
  expect(joined.ofType('control_request')).toHaveLength(1);
  expect(joined.ofType('assistant')).not.toEqual([]);

  // Nothing is open any more, so the next viewer is asked nothing.
  const late = await door.open(id);
  late.prompt('say 1');
  await late.turnsEnded();
  expect(late.ofType('control_request')).toEqual([]);
});

it('is asked once when it resumes and missed the request [code.ws.control-request-joining]', async () => {
  const id = await door.newSession();
  const first = await door.open(id);
  const { after } = first;
  first.prompt('ask Bash');
  await first.until(() => first.ofType('control_request').length === 1);

  const resumed = await door.open(id, { after });
  await resumed.until(() => resumed.ofType('control_request').length === 1);
  first.send({ type: 'interrupt' });
  await resumed.turnsEnded();
  expect(resumed.ofType('control_request')).toHaveLength(1);
});

it('reads todos with the fields of the program [code.ws.todo-update]', async () => {
  const page = await door.open(await door.newSession());
  const todos = [{ content: 'Weed', status: 'in_progress', activeForm: 'Weeding' }];
  const call = { type: 'tool_use', id: 'toolu_1', name: 'TodoWrite', input: { todos } };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' };
  const frame = (role: string, content: object) =>
    `raw ${JSON.stringify({ type: role, message: { role, content: [content] } })}`;
  page.prompt(`${frame('assistant', call)} | ${frame('user', result)}`);
  await page.until(() => page.ofType('todo_update').length === 1);
  expect(page.ofType('todo_update')[0]?.data?.['todos']).toEqual([
    { content: 'Weed', status: 'in_progress', activeForm: 'Weeding', text: 'Weed' },
  ]);
});

it('answers a question by position, stops a turn and changes the model [code.ws.question-answer] [code.ws.interrupt]', async () => {
  const id = await door.newSession();
  const page = await door.open(id);
  page.prompt('ask AskUserQuestion');
  await page.until(() => page.ofType('control_request').length === 1);
  const questionId = page.ofType('control_request')[0]?.data?.['request_id'];
  page.send({ type: 'question_answer', questionId, answers: { q0: 'Blue' } });
  await page.turnsEnded();
  expect(door.engine.decisions.at(-1)).toMatchObject({
    behavior: 'allow',
    updatedInput: { answers: { 'Red or blue?': 'Blue' } },
  });

  page.send({ type: 'set_model', model: 'opus' });
  page.prompt('wait');
  await page.until(() => page.ofType('system').length === 2);
  page.send({ type: 'interrupt' });
  await page.turnsEnded(2);
  expect(door.engine.configured.at(-1)).toMatchObject({ model: 'opus' });
  // Each frame carries everything it needs, so a page that skips the messages it doesn't know loses nothing.
  expect(page.ofType('result')).toHaveLength(2);
  expect(page.ofType('error')).toEqual([]);
});

it('lists, renames and deletes sessions, and pages through messages, with fields of its own', async () => {
  const id = await door.newSession();
  const page = await door.open(id);
  page.prompt('say 3');
  await page.turnsEnded();
  const url = `/api/claude/sessions/${id}`;
  const renamed = await door.fetch(url, { method: 'PATCH', body: { title: 'Seeds', color: 'green' } });
  expect(renamed.status).toBe(200);
  const list = (await (await door.fetch('/api/claude/sessions?limit=50&_=1')).json()) as {
    sessions: { id: string; title: string }[];
    next_cursor: string | null;
  };
  expect(list.sessions.find((session) => session.id === id)?.title).toBe('Seeds');
  expect(list).toHaveProperty('next_cursor');
  const { messages } = (await (await door.fetch(`${url}/messages?limit=2&_=1`)).json()) as {
    messages: { type: string }[];
  };
  expect(messages).toHaveLength(2);
  const deleted = await door.fetch(url, { method: 'DELETE' });
  expect(deleted.ok).toBe(true);
  expect((await door.fetch(url)).status).toBe(404);
});
