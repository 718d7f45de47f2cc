// The settings that people change in the app. Each is stored on its own, with the number of its last change, so that two
// people who edit the same one notice each other.
import { z } from 'zod';

const Change = z.int().min(1);

export const StoredSettings = z.object({
  version: z.literal(1),
  /** Counts the changes. */
  revision: z.int().min(0),
  /** By key, such as `log.level` or `mcpServers.files`, in the order in which they were added. */
  settings: z.record(z.string(), z.object({ value: z.json(), revision: Change })),
});
export type StoredSettings = z.infer<typeof StoredSettings>;

export const nothingStored: StoredSettings = { version: 1, revision: 0, settings: {} };

/** Where they are stored. One server writes at a time. */
export interface SettingsStore {
  /** Resolves when the settings survive a power cut. When it rejects, the old ones are untouched. */
  write(settings: StoredSettings): Promise<void>;
}
