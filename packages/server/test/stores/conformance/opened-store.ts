// How a suite gets a store, and how it cleans up.
import type { BranchStore } from '../../../src/domain/branch-store.ts';
import type { Store } from '../../../src/domain/store.ts';

export interface OpenedStore {
  readonly store: Store & { readonly branches: BranchStore };
  /** Another store on the same data, once this one is closed; absent when the data does not survive. */
  reopen?(): Promise<OpenedStore['store']>;
  /** A store on what a killed process would leave behind now; absent when the data does not survive. */
  crash?(): Promise<OpenedStore>;
  cleanup(): Promise<void> | void;
}

export type OpenStore = () => Promise<OpenedStore>;
