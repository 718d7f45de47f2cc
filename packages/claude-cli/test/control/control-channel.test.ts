// The control protocol with a program that does not cooperate.
import { createGate } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import type {
  PermissionDecision,
  PermissionHandler,
  PermissionMode,
  PermissionRequest,
  Session,
  SessionConfig,
} from '../../src/index.ts';
import { EventLog } from '../support/reading.ts';
import { openScriptedProgram } from '../support/scripted-program.ts';

async function start(
  script: string,
  config: SessionConfig = {},
): Promise<{ session: Session; heard: unknown[] }> {
  const { provider, workingDir } = await openScriptedProgram(`answerInitialize();\n${script}`);
  const session = provider.createSession({ workingDir, ...config });
  const heard: unknown[] = [];
  session.onFrame((frame) => {
    const body = frame.frame?.body as { type: string; heard?: unknown } | undefined;
    if (body?.type === 'echo') heard.push(body.heard);
  });
  await session.start();
  return { session, heard };
}

/** Shows the test every response that the program gets. */
const echoAnswers = `onLine((line) => { if (line.type === 'control_response') { emit({ type: 'echo', heard: line.response }); result(); } });`;
const ask = (fields: object, id = 'q1') =>
  `emit({ type: 'control_request', request_id: '${id}', request: ${JSON.stringify({ subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, ...fields })} });`;

describe('requests to the program', () => {
  it('carry their fields and return the response', async () => {
    const { session } = await start(`
      onLine((line) => {
        if (line.request?.subtype !== 'novelty') return;
        emit({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: { echo: line.request } } });
      });
    `);
    expect(await session.request('novelty', { depth: 3 })).toEqual({
      echo: { subtype: 'novelty', depth: 3 },
    });
  });

  it('fail when no response arrives in time, when the caller aborts, and when the program ends', async () => {
    const { session } = await start(`onPrompt(() => process.exit(1));`);
    await expect(session.request('novelty', {}, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'control_timeout',
    });
    const abort = new AbortController();
    const pending = session.request('novelty', {}, { signal: abort.signal });
    abort.abort();
    await expect(pending).rejects.toMatchObject({ code: 'aborted' });
    await expect(session.request('novelty', {}, { signal: abort.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    const orphaned = session.request('novelty');
    void session.sendInput('go').catch(() => undefined);
    await expect(orphaned).rejects.toMatchObject({ code: 'crashed' });
  });

  it('are not sent for an unknown permission mode', async () => {
    const { session } = await start('forever();');
    await expect(session.setPermissionMode('everything' as PermissionMode)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('must be one of acceptEdits, auto'),
    });
  });

  it('leave nothing pending when their fields cannot be sent', async () => {
    const { session } = await start('forever();');
    await expect(session.request('novelty', { count: 1n }, { timeoutMs: 20 })).rejects.toThrow(TypeError);
    // If the first were still pending, its timeout would be an unhandled rejection by now.
    await expect(session.request('novelty', {}, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'control_timeout',
    });
  });

  it('ignore responses that nobody waits for', async () => {
    const { session } = await start(`
      onPrompt(() => {
        emit({ type: 'control_response', response: { subtype: 'success', request_id: 'never-asked' } });
        emit({ type: 'control_cancel_request', request_id: 'never-asked' });
        result();
      });
    `);
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    expect(session.status().state).toBe('running');
  });
});

describe('requests from the program', () => {
  it('get an error if they are unknown', async () => {
    const { session, heard } = await start(`
      ${echoAnswers}
      onPrompt(() => emit({ type: 'control_request', request_id: 'x1', request: { subtype: 'sing' } }));
    `);
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    expect(heard).toEqual([{ subtype: 'error', request_id: 'x1', error: 'This host does not handle sing.' }]);
  });

  it('get an error if they ask for permission and nobody can decide', async () => {
    const { session, heard } = await start(`${echoAnswers} onPrompt(() => { ${ask({})} });`);
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    expect(heard).toMatchObject([{ subtype: 'error', request_id: 'q1' }]);
  });

  it('go to the current permission handler', async () => {
    const { session, heard } = await start(`${echoAnswers} onPrompt(() => { ${ask({})} });`, {
      onPermission: () => ({ behavior: 'deny', message: 'Nobody is there yet.' }),
    });
    const log = new EventLog(session);
    await session.sendInput('one');
    await log.turn(1);
    session.setPermissionHandler(() => ({ behavior: 'allow', updatedInput: { command: 'pwd' } }));
    await session.sendInput('two');
    await log.turn(2);
    session.setPermissionHandler(undefined);
    await session.sendInput('three');
    await log.turn(3);
    expect(heard).toMatchObject([
      { response: { behavior: 'deny', message: 'Nobody is there yet.' } },
      { response: { behavior: 'allow', updatedInput: { command: 'pwd' } } },
      { subtype: 'error' },
    ]);
  });

  it('pass suggestions through unchanged in both directions', async () => {
    const suggestions = [{ type: 'addRules', novelty: { deep: [1] }, destination: 'session' }];
    const seen: PermissionRequest[] = [];
    const onPermission: PermissionHandler = (request) => {
      seen.push(request);
      return { behavior: 'allow', updatedPermissions: request.suggestions };
    };
    const { session, heard } = await start(
      `${echoAnswers} onPrompt(() => { ${ask({ permission_suggestions: suggestions, novelty: true })} });`,
      { onPermission },
    );
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    expect(seen[0]).toMatchObject({ toolName: 'Bash', suggestions, raw: { novelty: true } });
    expect(heard).toEqual([
      {
        subtype: 'success',
        request_id: 'q1',
        response: { behavior: 'allow', updatedInput: { command: 'ls' }, updatedPermissions: suggestions },
      },
    ]);
  });

  it.each([
    ['returns nothing', undefined, 'Could not ask anyone: the handler returned no decision.'],
    ['returns another word', { behavior: 'yes' }, 'The person declined without giving a reason.'],
    [
      'allows with an input that is not JSON',
      { behavior: 'allow', updatedInput: { count: 1n } },
      expect.stringMatching(/^Could not ask anyone: .*BigInt/),
    ],
  ])('are denied when the handler %s', async (_, decision, message: unknown) => {
    const { session, heard } = await start(`${echoAnswers} onPrompt(() => { ${ask({})} });`, {
      onPermission: () => decision as PermissionDecision,
    });
    const log = new EventLog(session);
    await session.sendInput('go');
    await log.turn(1);
    expect(heard).toEqual([
      { subtype: 'success', request_id: 'q1', response: { behavior: 'deny', message } },
    ]);
  });

  it('wait for a person without limit, and do not count as a silent turn', async () => {
    const decided = createGate();
    const { session, heard } = await start(`${echoAnswers} onPrompt(() => { ${ask({})} });`, {
      limits: { silentTurnMs: 1_000, controlMs: 1_000 },
      onPermission: async () => {
        await decided.opened;
        return { behavior: 'deny', message: 'No.' };
      },
    });
    const log = new EventLog(session);
    await session.sendInput('go');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(session.status().state).toBe('running');
    decided.open();
    await log.turn(1);
    expect(heard).toMatchObject([{ response: { behavior: 'deny', message: 'No.' } }]);
  });

  it('abort their handler when withdrawn, and a late answer is not sent', async () => {
    const aborted = createGate();
    const { session, heard } = await start(
      `${echoAnswers}
       onPrompt((text) => {
         if (text === 'ask') { ${ask({})} emit({ type: 'control_cancel_request', request_id: 'q1' }); }
         else result();
       });`,
      {
        onPermission: (_, { signal }) =>
          new Promise((resolve) => {
            const late = (): void => {
              aborted.open();
              resolve({ behavior: 'allow' });
            };
            if (signal.aborted) late();
            signal.addEventListener('abort', late);
          }),
      },
    );
    const log = new EventLog(session);
    await session.sendInput('ask');
    await aborted.opened;
    await session.sendInput('next');
    await log.turn(1);
    expect(heard).toEqual([]);
  });

  it('end with the process, and their handler learns why', async () => {
    let hear: (reason: unknown) => void = () => undefined;
    const reason = new Promise<unknown>((resolve) => {
      hear = resolve;
    });
    const { session } = await start(
      `onPrompt(() => { ${ask({})} setTimeout(() => process.exit(9), 50); });`,
      {
        onPermission: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => hear(signal.reason));
          }),
      },
    );
    await session.sendInput('go');
    expect(await reason).toMatchObject({ code: 'crashed', exitCode: 9 });
  });
});
