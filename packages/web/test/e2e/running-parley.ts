// Parley for the tests of one file: starts before them and stops after them. All files of a worker share a browser.
import type { AnthropicStandIn } from '@parley/stand-ins';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  openBrowser,
  type Parley,
  type ParleyOptions,
  patienceMs,
  startParley,
  type Visit,
  visit,
} from './harness.ts';

/** Available in hooks and tests. */
export interface RunningParley extends Omit<Parley, 'stop'> {
  readonly browser: Browser;
  /** A page for the current test, closed when it ends. */
  visit(options?: Visit): Promise<Page>;
}

export function runningParley(
  options: ParleyOptions & { readonly scripted: true },
): RunningParley & { readonly model: AnthropicStandIn };
export function runningParley(options?: ParleyOptions): RunningParley;
export function runningParley(options: ParleyOptions = {}): RunningParley {
  let parley: Parley | undefined;
  let browser: Browser | undefined;
  const pages: Page[] = [];
  beforeAll(async () => {
    await Promise.all([
      startParley(options).then((started) => {
        parley = started;
      }),
      sharedBrowser().then((opened) => {
        browser = opened;
      }),
    ]);
  }, patienceMs);
  afterEach(() => Promise.all(pages.splice(0).map((page) => page.context().close())), patienceMs);
  afterAll(async () => {
    await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
    await parley?.stop();
  }, patienceMs);
  return {
    get url() {
      return running(parley).url;
    },
    get hasOwner() {
      return running(parley).hasOwner;
    },
    get home() {
      return running(parley).home;
    },
    get model() {
      return running(parley).model;
    },
    get browser() {
      return running(browser);
    },
    async visit(wished) {
      const page = await visit(running(browser), running(parley), wished);
      pages.push(page);
      return page;
    },
  };
}

let browserOfWorker: Browser | undefined;

/** Ends with the process of the worker. */
async function sharedBrowser(): Promise<Browser> {
  if (!browserOfWorker?.isConnected()) browserOfWorker = await openBrowser();
  return browserOfWorker;
}

function running<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('Parley runs only during hooks and tests.');
  return thing;
}
