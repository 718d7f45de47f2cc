// How a suite gets a store, and how it cleans up.
import type { Store } from '../../../src/domain/store.ts';

export interface OpenedStore {
  readonly store: Store;
  /** Another store on the same data, once this one is closed; absent when the data does not survive. */
  reopen?(): Promise<Store>;
  /** A store on what a killed process would leave behind now; absent when the data does not survive. */
  crash?(): Promise<OpenedStore>;
  cleanup(): Promise<void> | void;
}

export type OpenStore = () => Promise<OpenedStore>;
