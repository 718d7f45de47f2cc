// What every store must do.
import { afterEach, beforeEach, describe } from 'vitest';
import { admissionSuite } from './conformance/admission.ts';
import { branchSuite } from './conformance/branches.ts';
import { eventSuite } from './conformance/events.ts';
import { messageSuite } from './conformance/messages.ts';
import type { OpenedStore, OpenStore } from './conformance/opened-store.ts';
import { modelSuite } from './conformance/random-sequences.ts';
import { reopenSuite } from './conformance/reopen.ts';
import { sessionSuite } from './conformance/sessions.ts';
import { crashSuite, togetherSuite } from './conformance/together.ts';
import { turnSuite } from './conformance/turns.ts';

export function describeStore(name: string, open: OpenStore): void {
  describe(`${name}, like every store,`, () => {
    let opened: OpenedStore;

    beforeEach(async () => {
      opened = await open();
    });

    afterEach(async () => {
      await opened.store.close();
      await opened.cleanup();
    });

    const store = () => opened.store;
    sessionSuite(store);
    admissionSuite(store);
    branchSuite(store);
    turnSuite(store);
    togetherSuite(store);
    messageSuite(store);
    eventSuite(store);
    modelSuite(open);
  });
}

/** For stores whose data survives closing them. */
export function describeLastingStore(name: string, open: OpenStore): void {
  describeStore(name, open);
  describe(`${name}, reopened,`, () => {
    reopenSuite(open);
  });
}

/** For stores that can show what a killed process would leave behind. */
export function describeAfterCrash(name: string, open: OpenStore): void {
  describe(`${name}, after a crash,`, () => {
    crashSuite(open);
  });
}
