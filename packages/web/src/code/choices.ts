// The models and permission modes that a session can switch to, and what the program last offered.

import type { CodeModel, OfferedCommand } from '@parley/protocol';
import { BoundedMap } from '../bounded-map.ts';
import type { Choice } from '../conversation/choice-menu.tsx';
import { t } from '../i18n/translate.ts';
import { modelName } from '../ui/model-names.ts';

/** The mode in which Claude never asks. */
export const neverAsk = 'bypassPermissions';

export const modes = (): readonly Choice[] => [
  { value: 'default', name: t('Ask first'), about: t('Asks before it changes anything') },
  {
    value: 'acceptEdits',
    name: t('Accept edits'),
    about: t('Edits files without asking, but asks before anything else'),
  },
  { value: 'plan', name: t('Plan'), about: t('Reads and plans, but changes nothing') },
  {
    value: neverAsk,
    name: t('Never ask'),
    about: t('Does everything without asking'),
    isRisky: true,
  },
];

/** Names that every version of the program understands, until it lists its own. */
export const usualModels = (): readonly CodeModel[] => [
  { value: 'opus', displayName: 'Opus', description: t('For the hardest work') },
  { value: 'sonnet', displayName: 'Sonnet', description: t('For everyday work') },
  { value: 'haiku', displayName: 'Haiku', description: t('For quick answers') },
];

export function nameOfMode(mode: string | undefined): string {
  return modes().find(({ value }) => value === (mode ?? 'default'))?.name ?? mode ?? '';
}

/** Finds the model in the list that a name means: `claude-opus-5-5-20260101` is the one called Opus. */
export function chosenModel(model: string | undefined, models: readonly CodeModel[]): CodeModel | undefined {
  const exact = models.find(({ value }) => value === model);
  if (exact || model === undefined) return exact;
  const [family = ''] = modelName(model).split(' ');
  return models.find(({ displayName }) => displayName.startsWith(family));
}

/** The model's name in the list, or else the name that people use. */
export function nameOfModel(model: string | undefined, models: readonly CodeModel[]): string {
  if (model === undefined) return t('Default');
  return models.find(({ value }) => value === model)?.displayName ?? modelName(model);
}

const maxFolders = 20;
let lastModels: readonly CodeModel[] | undefined;
const commandsByFolder = new BoundedMap<string, readonly OfferedCommand[]>(maxFolders);

/** Remembers what the program offers, for pages whose program hasn't said anything yet. */
export function rememberOffers(
  folder: string,
  { models, commands }: { models: readonly CodeModel[] | undefined; commands: readonly OfferedCommand[] },
): void {
  lastModels = models ?? lastModels;
  if (commands.length > 0) commandsByFolder.set(folder, commands);
}

export function rememberedModels(): readonly CodeModel[] {
  return lastModels ?? usualModels();
}

export function rememberedCommands(folder: string): readonly OfferedCommand[] {
  return commandsByFolder.get(folder) ?? [];
}
