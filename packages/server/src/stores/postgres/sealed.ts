// Encrypted logins of other services, for all servers. The key is not in the database.
import type { SealedStore } from '../../domain/sealed.ts';
import { type Database, first, run } from '../sql/work.ts';

const put = `
  INSERT INTO sealed (name, content) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET content = excluded.content`;

export function createSealedStore(database: Database, key: Buffer): SealedStore {
  return {
    key: async () => key,
    async read(name) {
      const found = first<{ content: string }>('SELECT content FROM sealed WHERE name = ?', [name]);
      const row = await database.read(found);
      return row && Buffer.from(row.content, 'base64');
    },
    async write(name, bytes) {
      await database.durable(() => run(put, [name, bytes.toString('base64')]));
    },
    async remove(name) {
      await database.durable(() => run('DELETE FROM sealed WHERE name = ?', [name]));
    },
  };
}
