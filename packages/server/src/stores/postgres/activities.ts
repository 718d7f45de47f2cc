// News about activities that servers leave for each other. It is deleted after a few minutes.
import { parseJson } from '../../content/parse-json.ts';
import { ActivityNews, type ActivityStore } from '../../domain/activity.ts';
import { all, run } from '../sql/work.ts';
import type { PostgresStore } from './store.ts';

/** A row gets its position before others can see it, so a read begins a bit before the last position that it knows. */
const overlap = 200;
const maxAtOnce = 1_000;

const add = `
  INSERT INTO activities (server_id, news)
  SELECT ?, value FROM jsonb_array_elements_text(?::jsonb) WITH ORDINALITY AS one(value, place) ORDER BY place`;

export function createActivityStore({ database }: Pick<PostgresStore, 'database'>): ActivityStore {
  return {
    async add(server, news) {
      const texts = JSON.stringify(news.map((one) => JSON.stringify(one)));
      await database.relaxed(() => run(add, [server, texts]));
    },

    async after(server, position) {
      const since = position === undefined ? "added_at > now() - interval '2 minutes'" : 'position > ?';
      const rows = await database.read(
        all<{ position: number; news: string }>(
          `SELECT position, news FROM activities WHERE server_id <> ? AND ${since} ORDER BY position LIMIT ${maxAtOnce}`,
          position === undefined ? [server] : [server, position - overlap],
        ),
      );
      // A server of another version may send news that this one doesn't know.
      return rows.flatMap((row) => {
        const news = ActivityNews.safeParse(parseJson(row.news));
        return news.success ? [{ position: row.position, news: news.data }] : [];
      });
    },

    async forgetOld() {
      await database.relaxed(() =>
        run("DELETE FROM activities WHERE added_at < now() - interval '5 minutes'"),
      );
    },
  };
}
