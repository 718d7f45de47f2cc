// Models and permission modes that a session may be switched to.
import type { CodeModel } from '@parley/protocol';
import { modelName } from '../../ui/model-names.ts';

export interface ModeChoice {
  readonly mode: string;
  readonly name: string;
  readonly meaning: string;
}

export const modes: readonly ModeChoice[] = [
  { mode: 'default', name: 'Ask first', meaning: 'Asks before it changes anything' },
  { mode: 'acceptEdits', name: 'Accept edits', meaning: 'Edits files without asking, asks for the rest' },
  { mode: 'plan', name: 'Plan', meaning: 'Reads and plans, changes nothing' },
  { mode: 'bypassPermissions', name: 'Never ask', meaning: 'Does everything without asking' },
];

/** Names that the program understands whatever its version: for as long as it has not told its own. */
export const usualModels: readonly CodeModel[] = [
  { value: 'opus', displayName: 'Opus', description: 'For the hardest work' },
  { value: 'sonnet', displayName: 'Sonnet', description: 'For everyday work' },
  { value: 'haiku', displayName: 'Haiku', description: 'For quick answers' },
];

export function nameOfMode(mode: string | undefined): string {
  return modes.find((choice) => choice.mode === mode)?.name ?? mode ?? 'Ask first';
}

/** The one of the models that a name stands for: `claude-opus-5-5-20260101` is the one that is called Opus. */
export function chosenModel(model: string | undefined, models: readonly CodeModel[]): CodeModel | undefined {
  const exact = models.find(({ value }) => value === model);
  if (exact || model === undefined) return exact;
  const [family = ''] = modelName(model).split(' ');
  return models.find(({ displayName }) => displayName.startsWith(family));
}

/** As the list calls it, else as people do. */
export function nameOfModel(model: string | undefined, models: readonly CodeModel[] = usualModels): string {
  if (model === undefined) return 'Model';
  return models.find(({ value }) => value === model)?.displayName ?? modelName(model);
}
