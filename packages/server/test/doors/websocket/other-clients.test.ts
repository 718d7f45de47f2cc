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
