// The ways into Parley, as logs, metrics and the usage book call them. CONTEXT.md and the README list the same.
export const doors = ['browser', 'terminal', 'telegram', 'discord', 'programs'] as const;
export type Door = (typeof doors)[number];
