// What the real program asks through the gateway, and how it acts on the decisions.
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Decision, type PermissionRequest, suggestedRules } from '@parley/protocol';
import { callTool, lastToolResults, reply, resultText } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow, type CodeHarness, openCodeHarness, person, runTurn } from './harness.ts';

describe('permissions in Claude Code', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  const isMissing = (name: string) => expect(access(join(code.project, name))).rejects.toThrow('ENOENT');

  /** Lets the model call one tool, and returns the question and what the model received. */
  async function callOnce(id: string, name: string, input: object, decision: Decision) {
    code.standIn.enqueue(reply(callTool(name, { ...input })), reply('Well then.'));
    const asked: PermissionRequest[] = [];
    const turn = await runTurn(code, id, 'Do it', {
      decide: (request) => {
        asked.push(request);
        return decision;
      },
    });
    const last = code.standIn.conversations.at(-1);
    return { ...turn, asked, received: last ? lastToolResults(last.body).map(resultText).join('') : '' };
  }

  it('lets an allowed tool run, and shows what it asked for [code.permission.blocks-tool] [code.permission.allow]', async () => {
    const { id } = await code.newSession();
    const input = { command: 'touch allowed.txt', description: 'Make a file' };
    code.standIn.enqueue(reply(callTool('Bash', input)), reply('Made.'));
    const turn = await runTurn(code, id, 'Do it', {
      decide: (request) => {
        expect(request).toMatchObject({ tool: 'Bash', input, description: 'Make a file' });
        expect(request.toolUseId).toMatch(/^toolu_/);
        expect(request.details).toMatchObject({
          permission_suggestions: expect.any(Array),
          request_id: expect.any(String),
        });
        expect(code.engine.isWaiting(id)).toBe(true);
        expect(code.engine.isWorking(id)).toBe(true);
        return allow;
      },
    });
    await access(join(code.project, 'allowed.txt'));
    expect(code.engine.isWaiting(id)).toBe(false);
    expect(code.engine.isWorking(id)).toBe(false);
    const tools = turn.events.filter(({ type }) => /^(tool\.(started|ended)|permission\..*)$/.test(type));
    expect(tools.map(({ type }) => type)).toEqual([
      'tool.started',
      'permission.asked',
      'permission.settled',
      'tool.ended',
    ]);
  });

  it('keeps a denied tool from running and gives the model the reason [code.permission.deny-with-message]', async () => {
    const { id } = await code.newSession();
    const { received, events } = await callOnce(
      id,
      'Bash',
      { command: 'touch denied.txt', description: 'Touch' },
      {
        behavior: 'deny',
        message: 'Not on a Sunday.',
      },
    );
    expect(received).toContain('Not on a Sunday.');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'tool.ended',
        outcome: 'failed',
        denied: true,
        reason: 'Not on a Sunday.',
      }),
    );
    await isMissing('denied.txt');
  });

  it('runs with the input that the person changed', async () => {
    const { id } = await code.newSession();
    await callOnce(
      id,
      'Bash',
      { command: 'echo one > changed.txt', description: 'Write' },
      {
        ...allow,
        updatedInput: { command: 'echo two > changed.txt', description: 'Write' },
      },
    );
    expect(await readFile(join(code.project, 'changed.txt'), 'utf8')).toBe('two\n');
  });

  it('asks once for a tool that was allowed for the session [code.permission.always-allow]', async () => {
    const { id } = await code.newSession();
    const always: Decision = { behavior: 'allow', scope: 'session' };
    const first = await callOnce(id, 'Bash', { command: 'touch first.txt', description: 'Touch' }, always);
    const second = await callOnce(id, 'Bash', { command: 'mkdir second', description: 'Make' }, always);
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    await access(join(code.project, 'second'));
  });

  it('allows what the suggested rule matches, even after a sleep, and asks about everything else [code.permission.suggested-rule]', async () => {
    const { id } = await code.newSession();
    const suggested: Decision = { behavior: 'allow', scope: 'suggested' };
    const run = (command: string) => callOnce(id, 'Bash', { command, description: 'Run it' }, suggested);
    const first = await run('mkdir one');
    expect(first.asked.map(suggestedRules)).toEqual([[{ toolName: 'Bash', ruleContent: 'mkdir one *' }]]);
    expect((await run('mkdir one two -p')).asked).toHaveLength(0);
    expect((await run('touch three.txt')).asked).toHaveLength(1);
    // This setting needs a new process.
    await code.gateway.configure(person, id, { effort: 'low' });
    expect((await run('mkdir one four -p')).asked).toHaveLength(0);
    await access(join(code.project, 'four'));
    await isMissing('.claude/settings.local.json');
  });

  it('passes the answers to a question to the same process', async () => {
    const { id } = await code.newSession();
    const questions = [
      {
        question: 'Sweet or savoury?',
        header: 'Taste',
        multiSelect: false,
        options: [
          { label: 'Sweet', description: 'With sugar' },
          { label: 'Savoury', description: 'With salt' },
        ],
      },
    ];
    const { asked, received } = await callOnce(
      id,
      'AskUserQuestion',
      { questions },
      {
        ...allow,
        updatedInput: { questions, answers: { 'Sweet or savoury?': 'Savoury' } },
      },
    );
    expect(asked[0]?.details).toMatchObject({ requires_user_interaction: true });
    expect(received).toContain('Savoury');
  });

  it('leaves plan mode when the plan is approved, and stays out of it after a sleep', async () => {
    const { id } = await code.newSession({ permissionMode: 'plan' });
    const { asked, frames } = await callOnce(id, 'ExitPlanMode', { plan: '1. Whisk the eggs.' }, allow);
    expect(asked[0]).toMatchObject({ tool: 'ExitPlanMode', details: { requires_user_interaction: true } });
    expect(modes(frames)[0]).toBe('plan');
    code.standIn.enqueue(reply('Whisked.'));
    const after = modes((await runTurn(code, id, 'Go on')).frames)[0];
    expect(after).not.toBe('plan');
    expect(code.sessions.permissionMode(id)).toBe(after);

    await code.gateway.configure(person, id, { effort: 'low' });
    expect(code.engine.statusOf(id)).toBe('archived');
    expect(code.sessions.permissionMode(id)).toBe(after);
    code.standIn.enqueue(reply('Still here.'));
    expect(modes((await runTurn(code, id, 'And now?')).frames)[0]).toBe(after);
  });

  it('closes an open question when its turn is stopped [code.permission.process-end-clears] [code.permission.no-answer-is-no-allow]', async () => {
    const { id } = await code.newSession();
    code.standIn.enqueue(reply(callTool('Bash', { command: 'touch never.txt', description: 'Touch' })));
    const { events, ended } = await runTurn(code, id, 'Do it', {
      onEvent: (event) => {
        if (event.type === 'permission.asked') void code.gateway.interrupt(person, id);
      },
    });
    expect(ended.outcome).toBe('interrupted');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'permission.settled',
        decision: expect.objectContaining({ behavior: 'deny' }),
      }),
    );
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool.ended', stopped: true }));
    await isMissing('never.txt');
  });
});

function modes(frames: readonly string[]): string[] {
  return frames
    .map((raw) => JSON.parse(raw) as { subtype?: string; permissionMode?: string })
    .flatMap(({ subtype, permissionMode }) => (subtype === 'init' && permissionMode ? [permissionMode] : []));
}
