// The models that the program told last, for pages on which no program speaks yet.
import type { CodeModel } from '@parley/protocol';
import { usualModels } from './choices.ts';

let told: readonly CodeModel[] | undefined;

export function rememberModels(models: readonly CodeModel[] | undefined): void {
  told = models ?? told;
}

export function knownModels(): readonly CodeModel[] {
  return told ?? usualModels;
}
