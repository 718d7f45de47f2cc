// Models and permission modes that a session may be switched to.
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

/** Names that the program understands whatever the newest version is. */
export const models: readonly { readonly model: string; readonly name: string }[] = [
  { model: 'opus', name: 'Opus' },
  { model: 'sonnet', name: 'Sonnet' },
  { model: 'haiku', name: 'Haiku' },
];

export function nameOfMode(mode: string | undefined): string {
  return modes.find((choice) => choice.mode === mode)?.name ?? mode ?? 'Ask first';
}

/** `claude-opus-5-5-20260101` is "opus 5.5". */
export function nameOfModel(model: string | undefined): string {
  if (model === undefined) return 'Model';
  const [, family, version] = /^claude-([a-z]+)-([\d-]+?)(?:-\d{8})?(?:\[.*\])?$/.exec(model) ?? [];
  if (family === undefined || version === undefined) {
    return models.find((choice) => choice.model === model)?.name ?? model;
  }
  return `${family[0]?.toUpperCase()}${family.slice(1)} ${version.replaceAll('-', '.')}`;
}
