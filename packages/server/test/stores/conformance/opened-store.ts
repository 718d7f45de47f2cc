// How a suite gets a store, and what it leaves behind.
import type { Store } from '../../../src/domain/store.ts';

export interface OpenedStore {
  readonly store: Store;
  /** Another store over the same data, once this one is closed; absent where nothing outlives a store. */
  reopen?(): Promise<Store>;
  /** A store over what a killed process would leave behind now; absent where nothing outlives a store. */
  crash?(): Promise<OpenedStore>;
  cleanup(): Promise<void> | void;
}

export type OpenStore = () => Promise<OpenedStore>;
