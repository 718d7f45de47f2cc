// Notifications from a turn to the buttons on them: the server sends one to a stand-in for the browser's push service, and the
// browser gets what arrived there.
import { type PushSubscriptionStandIn, startPushStandIn } from '@parley/stand-ins';
import type { CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginSession } from './code-pages.ts';
import { expectAccessible, patienceMs, phone, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const service = await startPushStandIn();
const parley = runningParley({ config: { push: { allowedHosts: [service.host] } } });
let page: Page;
let cdp: CDPSession;
let registrationId: string | undefined;
beforeAll(async () => {
  page = await visit(parley.browser, parley, {
    serviceWorkers: 'allow',
    viewport: phone,
  });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  cdp = await page.context().newCDPSession(page);
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId;
  });
  await cdp.send('ServiceWorker.enable');
}, patienceMs);
afterAll(async () => {
  await page?.context().close();
  await service.close();
}, patienceMs);

/**
 * Headless browsers have no push service and never allow notifications: the page subscribes to the stand-in instead, and what
 * the service worker shows is remembered.
 */
async function replaceBrowserParts(subscription: PushSubscriptionStandIn): Promise<void> {
  await page.context().addInitScript((given) => {
    let current: object | null = null;
    const made = {
      ...given,
      options: { applicationServerKey: null },
      toJSON: () => given,
      unsubscribe: async () => {
        current = null;
        return true;
      },
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      subscribe: async () => {
        current = made;
        return made;
      },
    });
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
  }, subscription);
  await worker().evaluate(() => {
    const scope = globalThis as unknown as Scope;
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => {
      const notification = { title, ...options, close: () => void scope.shown.splice(0) };
      scope.shown.splice(0, 1, notification);
    };
  });
}

interface Scope {
  shown: { readonly title: string }[];
  readonly registration: ServiceWorkerRegistration;
  dispatchEvent(event: Event): void;
}

function worker(): Worker {
  const [found] = page.context().serviceWorkers();
  if (!found) throw new Error('there is no service worker');
  return found;
}

const shown = () => worker().evaluate(() => (globalThis as unknown as Scope).shown.map(({ title }) => title));

async function deliver(message: string): Promise<void> {
  await expect.poll(() => registrationId).toBeDefined();
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(parley.url).origin,
    registrationId: registrationId ?? '',
    data: message,
  });
}

/** What the browser does when somebody presses a button on the notification, or the notification itself. */
async function press(action: string): Promise<void> {
  await worker().evaluate(async (pressed) => {
    const scope = globalThis as unknown as Scope;
    const work: Promise<unknown>[] = [];
    const [notification] = scope.shown;
    const waitUntil = (one: Promise<unknown>) => work.push(one);
    scope.dispatchEvent(
      Object.assign(new Event('notificationclick'), { notification, action: pressed, waitUntil }),
    );
    // A page can't be opened or focused without a real click.
    await Promise.allSettled(work);
  }, action);
}

describe('notifications on a device', { timeout: patienceMs }, () => {
  it('are turned on, arrive, and answer a permission [app.push.browser]', async () => {
    await replaceBrowserParts(service.subscribe());
    const id = await beginSession(page, parley);
    await page.goto(`${parley.url}/settings/account`);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This browser notifies you, even while Parley is closed.').waitFor();
    const asked = await page.request.post(`${parley.url}/api/sessions/${id}/prompts`, {
      data: { message: 'Run touch hello.txt' },
    });
    expect(asked.ok()).toBe(true);
    await expect.poll(() => service.received.length, { timeout: 60_000 }).toBe(1);
    const question = service.received[0]?.message ?? '';
    await deliver(question);
    await expect.poll(shown).toEqual(['Bash needs your permission']);
    await press('allow');
    await expect.poll(() => service.received.length, { timeout: 60_000 }).toBe(2);
    expect(JSON.parse(service.received[1]?.message ?? '{}')).toMatchObject({
      title: 'Done',
      path: `/code/${id}`,
    });
    await expect.poll(shown).toEqual([]);

    // The same notification again: it is too late, and says so.
    await deliver(question);
    await expect.poll(shown).toEqual(['Bash needs your permission']);
    await press('deny');
    await expect.poll(shown).toEqual(['This was already decided.']);
    await deliver('not even JSON');
    await expect.poll(shown).toEqual(['Parley']);
  });

  it('are chosen by kind, by hour and by session, and turned off [app.push.choices]', async () => {
    await beginSession(page, parley);
    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('menuitem', { name: 'Mute notifications' }).click();
    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('menuitem', { name: 'Unmute notifications' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${parley.url}/settings/account`);
    const card = page.getByRole('region', { name: 'Notifications' });
    /** Does something, and waits until it is stored. */
    const saves = async (change: () => Promise<void>) => {
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/api/push/settings')),
        change(),
      ]);
    };
    // A box shows the choice a moment after the click, and Playwright's `check` would not wait for that.
    await saves(() => card.getByLabel('Claude is done').click());
    await expect.poll(() => card.getByLabel('Claude is done').isChecked()).toBe(false);
    await saves(() => card.getByLabel('Quiet hours').click());
    await expect.poll(() => card.getByLabel('Quiet hours').isChecked()).toBe(true);
    await card.getByLabel('From').fill('21:30');
    await saves(() => card.getByLabel('From').blur());
    await expectAccessible(page);
    await page.reload();
    await expect.poll(() => card.getByLabel('Claude is done').isChecked()).toBe(false);
    await expect.poll(() => card.getByLabel('From').inputValue()).toBe('21:30');
  });
});
