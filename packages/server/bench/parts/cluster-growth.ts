// Whether requests stay fast as messages pile up in PostgreSQL: sends the same requests to a small and a large
// database, in turns, so that other load on the machine slows both equally.
import { type Figure, percentile } from '../../../../bench/report.ts';
import { startServers } from './cluster-servers.ts';
import { growDatabase } from './grown-database.ts';
import { commonWords, people, rareWord } from './grown-home.ts';
import { get, nowhere } from './processes.ts';

const few = 1_000;
const rounds = 30;
/** No request reaches the model. */

export async function growthFigures(messages: number): Promise<readonly Figure[]> {
  const small = await grown(few);
  const large = await grown(messages);
  const times: Record<string, [number[], number[]]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { url, ids }] of [small, large].entries()) {
      for (const [what, path] of requests(ids[round % ids.length] ?? '')) {
        const begin = performance.now();
        await get(url, path);
        // The first round is a warm-up.
        if (round > 0) (times[what] ??= [[], []])[at]?.push(performance.now() - begin);
      }
    }
  }
  await Promise.all([small.close(), large.close()]);
  return Object.entries(times).map(([what, both]) => {
    const [before, after] = both.map((list) => percentile(list, 0.5)) as [number, number];
    return {
      what: `${what}: ${messages.toLocaleString('en')} messages compared with ${few.toLocaleString('en')}`,
      value: after / before,
      unit: '×',
      goal: { atMost: 2 },
      comparison: `p50 ${before.toFixed(1)} / ${after.toFixed(1)} ms`,
    };
  });
}

async function grown(messages: number) {
  const cluster = await startServers(1, nowhere, { settings: { people }, isDurable: false });
  await growDatabase(cluster.database, messages);
  const url = cluster.servers[0]?.url ?? '';
  const page = await get<{ sessions: readonly { id: string }[] }>(url, '/api/sessions?limit=100');
  return { url, ids: page.sessions.map(({ id }) => id), close: () => cluster.close() };
}

function requests(id: string): readonly (readonly [string, string])[] {
  const search = (words: string) => `/api/sessions?q=${encodeURIComponent(words)}`;
  return [
    ['page of the list', '/api/sessions?limit=50'],
    ['search: a word in every message', search(commonWords[0])],
    ['search: a rare word', search(`${commonWords[0]} ${rareWord}`)],
    ['open a session', `/api/sessions/${id}`],
    ['resume: its last turns', `/api/sessions/${id}/past?limit=20`],
  ];
}
