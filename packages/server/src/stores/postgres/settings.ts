// The settings that people change in the app, for all servers.
import type { SettingsStore } from '../../domain/app-settings.ts';
import { type Database, first, run } from '../sql/work.ts';

const put = `
  INSERT INTO app_settings (revision, settings) VALUES (?, ?)
  ON CONFLICT (is_only) DO UPDATE SET revision = excluded.revision, settings = excluded.settings
  WHERE app_settings.revision = ?`;

export function createSettingsStore(database: Database): SettingsStore {
  return {
    async read() {
      return (await database.read(first<{ settings: string }>('SELECT settings FROM app_settings')))
        ?.settings;
    },
    async replace(settings, { from, to }) {
      return (await database.durable(() => run(put, [to, settings, from]))) === 1;
    },
  };
}
