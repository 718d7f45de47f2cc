// What callers of a hanging server learn: it accepts connections, answers nothing, and its lease runs out.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createRemoteGateway } from '../../src/cluster/remote-gateway.ts';
import { ServerSignature } from '../../src/cluster/server-signature.ts';
import { ServerWatch } from '../../src/cluster/server-watch.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { Gateway } from '../../src/domain/gateway.ts';
import type { Timers } from '../../src/domain/timers.ts';

/** Time that passes only when a test lets it. */
function manualTimers() {
  const planned = new Set<{ readonly at: number; readonly work: () => void }>();
  let now = 0;
  const timers: Timers = {
    now: () => now,
    after(ms, work) {
      const one = { at: now + ms, work };
      planned.add(one);
      return () => planned.delete(one);
    },
  };
  const pass = (ms: number) => {
    now += ms;
    for (const one of planned) if (one.at <= now && planned.delete(one)) one.work();
  };
  return { timers, pass };
}

it('ends calls and streams to a server as soon as its lease is over [cluster.takeover.hanging]', async () => {
  const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  onTestFinished(() => void hanging.close());
  const { port } = hanging.address() as AddressInfo;
  const server = { id: 'a', machine: 'a', url: `http://127.0.0.1:${port}` };
  let running = [server];
  const { timers, pass } = manualTimers();
  const gateway = createRemoteGateway({
    server,
    signature: new ServerSignature('secret', systemClock),
    fetch: globalThis.fetch,
    timers,
    local: {} as Gateway,
    watch: new ServerWatch({ list: async () => running }, timers),
  });
  let isOver = false;
  const calls = Promise.allSettled([
    gateway.state('ada', 's'),
    gateway.subscribe('ada', 's', { after: 0 })[Symbol.asyncIterator]().next(),
  ]).finally(() => {
    isOver = true;
  });
  const look = async () => {
    pass(500);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await look();
  await look();
  expect(isOver).toBe(false);
  running = [];
  await look();
  for (const call of await calls)
    expect(call).toMatchObject({ status: 'rejected', reason: { code: 'moved' } });
});
