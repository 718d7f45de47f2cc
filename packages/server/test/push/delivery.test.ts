// How notifications wait for a push service that doesn't take them.
import { createGate, startPushStandIn } from '@parley/stand-ins';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/domain/logger.ts';
import { Delivery } from '../../src/push/delivery.ts';
import { newServerKey, readServerKey } from '../../src/push/encryption.ts';
import { createGuardedFetch } from '../../src/tools/web/guarded-fetch.ts';

it('keeps the newest notification of each session while a device waits, and only a few sessions [app.push.retries]', async () => {
  const service = await startPushStandIn();
  const gate = createGate();
  const send = createGuardedFetch({ exceptions: [service.host] });
  const delivery = new Delivery({
    store: { remove: () => Promise.resolve() },
    http: async (request) => {
      await gate.opened;
      return send(request);
    },
    key: readServerKey(newServerKey()),
    contact: 'https://parley.example',
    clock: { now: () => Date.now() },
    logger: silentLogger,
  });
  const { endpoint, keys } = service.subscribe();
  const device = {
    id: 'one',
    person: 'anna',
    login: '',
    endpoint,
    ...keys,
    language: 'en',
    createdAt: 0,
  } as const;
  const all = Array.from({ length: 60 }, (_, at) => {
    const topic = `session ${Math.floor(at / 2)}`;
    return delivery.send(device, { kind: 'needs-you', topic, message: `${topic}, ${at % 2}` });
  });
  gate.open();
  await Promise.all(all);
  delivery.close();
  const received = service.received.map(({ message }) => message);
  await service.close();

  // The first one was on its way.
  expect(received[0]).toBe('session 0, 0');
  expect(received.slice(1)).toEqual(Array.from({ length: 20 }, (_, at) => `session ${at + 10}, 1`));
});
