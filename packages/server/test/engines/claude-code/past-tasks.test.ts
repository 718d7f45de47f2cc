// The task list of a sleeping session: read from the transcript, and continued by the next process.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPastTasks } from '@parley/claude-cli';
import { callTool, reply } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeHarness, openCodeHarness, person, runTurn } from './harness.ts';

describe('the task list in a transcript', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-todos-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const listIn = async (...lines: readonly (object | string)[]) => {
    const file = join(folder, 'transcript.jsonl');
    await writeFile(
      file,
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
    return (await readPastTasks(file)).list;
  };
  const call = (id: string, name: string, input: object, fields: object = {}) => ({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    ...fields,
  });
  const result = (id: string, toolUseResult: object = {}, fields: object = {}) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok', ...fields }] },
    toolUseResult,
  });
  const wash = { content: 'Wash', status: 'in_progress', activeForm: 'Washing' };

  it('is the last one that was written successfully', async () => {
    const lines = [
      call('a', 'TodoWrite', { todos: [wash, { ...wash, content: 'Dry' }] }),
      result('a'),
      'torn {"name":"TodoWrite"',
      call('b', 'TodoWrite', { todos: [wash] }),
      { type: 'summary', summary: 'in between' },
      result('b'),
      call('c', 'TodoWrite', { todos: [] }),
      result('c', {}, { is_error: true }),
      call('d', 'TodoWrite', { todos: [] }, { isSidechain: true }),
      { ...result('d'), isSidechain: true },
      call('e', 'TodoWrite', { todos: [] }),
    ];
    expect(await listIn(...lines)).toEqual([{ text: 'Wash', status: 'in_progress', activeForm: 'Washing' }]);
  });

  it('is built from single tasks', async () => {
    const lines = [
      call('a', 'TaskCreate', { subject: 'Wash' }),
      result('a', { task: { id: '1' } }),
      call('b', 'TaskCreate', { subject: 'Dry' }),
      result('b', { task: { id: '2' } }),
      call('c', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      result('c'),
    ];
    expect(await listIn(...lines)).toEqual([
      { text: 'Wash', status: 'completed' },
      { text: 'Dry', status: 'pending' },
    ]);
  });

  it('is empty if there is none, no transcript, or only an old one far from the end', async () => {
    expect(await listIn({ type: 'user', message: { role: 'user', content: 'Hi' } })).toEqual([]);
    expect((await readPastTasks(join(folder, 'nothing.jsonl'))).list).toEqual([]);
    const filling = { type: 'user', message: { role: 'user', content: 'x'.repeat(17 * 1024 * 1024) } };
    expect(await listIn(call('a', 'TodoWrite', { todos: [wash] }), result('a'), filling)).toEqual([]);
  });
});

describe('a session with tasks', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  it('keeps its list while it sleeps, and continues it when it wakes [code.ws.todo-update]', async () => {
    // The program has a task list with this model.
    const session = await code.newSession({ model: 'claude-sonnet-4-5-20250929' });
    const { id } = session;
    code.standIn.enqueue(
      reply(callTool('TaskCreate', { subject: 'Wash', description: 'Wash' })),
      reply(callTool('TaskCreate', { subject: 'Dry', description: 'Dry' })),
      reply('Two things to do.'),
    );
    await runTurn(code, id, 'Plan it');
    const list = [
      { text: 'Wash', status: 'pending' },
      { text: 'Dry', status: 'pending' },
    ];
    expect(await code.sessions.todos(person, id)).toEqual(list);

    const leave = await code.engine.occupy(session, { end: async () => undefined });
    leave();
    expect(code.engine.todosOf(id)).toBeUndefined();
    expect(await code.sessions.todos(person, id)).toEqual(list);

    code.standIn.enqueue(
      reply(callTool('TaskUpdate', { taskId: '1', status: 'completed' })),
      reply('One is done.'),
    );
    const { events } = await runTurn(code, id, 'Go on');
    expect(events.filter((event) => event.type === 'todos').at(-1)).toEqual({
      type: 'todos',
      todos: [{ text: 'Wash', status: 'completed' }, list[1]],
    });
    await expect(code.sessions.todos('somebody else', id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
