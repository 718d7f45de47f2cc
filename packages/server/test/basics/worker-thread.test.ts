import { afterEach, describe, expect, it } from 'vitest';
import { WorkerThread } from '../../src/basics/worker-thread.ts';

const program = `
  import { parentPort, threadId } from 'node:worker_threads';
  const answer = (id, result) => parentPort.postMessage({ id, result });
  const held = [];
  parentPort.on('message', ({ id, request }) => {
    switch (request) {
      case 'which': return answer(id, threadId);
      case 'variables': return answer(id, Object.keys(process.env));
      case 'hold': return held.push(id);
      case 'let go': return [id, ...held.splice(0)].forEach((one) => answer(one, one === id ? 'last' : 'held'));
      case 'fail': return parentPort.postMessage({ id, failure: 'No luck.' });
      case 'throw': throw new Error('It broke.');
      case 'exit': return process.exit(0);
      case 'hang': for (;;);
    }
  });
`;
const module = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
const signal = () => new AbortController().signal;
const never = 3_600_000;

let thread: WorkerThread<unknown, unknown>;
const open = (idleMs = never) => {
  thread = new WorkerThread({ module, idleMs });
  return (request: string, own = signal()) => thread.call(request, own);
};
afterEach(() => thread.close());

describe('a thread', () => {
  it('gives each call its own answer, and gets no variables of the environment', async () => {
    const call = open();
    const answers = [call('hold'), call('variables'), call('let go')];
    expect(await Promise.all(answers)).toEqual(['held', [], 'last']);
  });

  it('fails only the call that it reports as failed', async () => {
    const call = open();
    const [failed, other] = await Promise.allSettled([call('fail'), call('which')]);
    expect(failed).toMatchObject({ status: 'rejected', reason: new Error('No luck.') });
    expect(other.status).toBe('fulfilled');
  });

  it.each([
    ['throws', 'throw', 'It broke.'],
    ['exits', 'exit', 'The thread ended before it answered.'],
  ])('that %s fails what waits for it, and starts again with the next call', async (_, request, reason) => {
    const call = open();
    const results = await Promise.allSettled([call('hold'), call(request)]);
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      `Error: ${reason}`,
      `Error: ${reason}`,
    ]);
    expect(await call('which')).toBeTypeOf('number');
  });

  it('that hangs is stopped by the signal of a call, and starts again with the next one', async () => {
    const call = open();
    const before = await call('which');
    const controller = new AbortController();
    const hanging = call('hang', controller.signal);
    const behind = call('which');
    controller.abort(new Error('Too long.'));
    await expect(hanging).rejects.toThrow('Too long.');
    await expect(behind).rejects.toThrow('Too long.');
    await expect(call('which', controller.signal)).rejects.toThrow('Too long.');
    expect(await call('which')).not.toBe(before);
  });

  it('ends when it has had nothing to do for a while', async () => {
    const kept = open();
    expect(await kept('which')).toBe(await kept('which'));
    await thread.close();
    const dropped = open(0);
    expect(await dropped('which')).not.toBe(await dropped('which'));
  });

  it('that is closed fails what waits for it', async () => {
    const call = open();
    const waiting = call('hold');
    await Promise.all([expect(waiting).rejects.toThrow('The thread was closed.'), thread.close()]);
    expect(await call('which')).toBeTypeOf('number');
  });

  it('has a limited number of calls that wait', async () => {
    const call = open();
    const calls = Array.from({ length: 1_000 }, () => call('hold'));
    await expect(call('hold')).rejects.toThrow('Too many calls');
    await call('which').catch(() => undefined);
    await Promise.all([Promise.allSettled(calls), thread.close()]);
  });

  it('survives a request that can not be sent', async () => {
    open();
    await expect(thread.call(() => undefined, signal())).rejects.toThrow('could not be cloned');
    expect(await thread.call('which', signal())).toBeTypeOf('number');
  });
});
