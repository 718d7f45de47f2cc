// `npm run cluster`: three servers on one PostgreSQL behind a proxy, in demo mode, to try on one machine. Its argument is
// the path of the built `parley` command.
import { resolve } from 'node:path';
import { startCluster } from './cluster.ts';

const [program = ''] = process.argv.slice(2);
const stopped = requestToStop();
const wanted = Number(process.env['PARLEY_PORT'] ?? 4710);
const cluster = await startCluster({
  program: resolve(program),
  proxyPort: wanted,
  isDetached: true,
}).catch((error: NodeJS.ErrnoException) => {
  const isTaken = error.code === 'EADDRINUSE';
  const advice = `Port ${wanted} is in use. Free it, or choose another one: PARLEY_PORT=4720 npm run cluster`;
  process.stderr.write(`${isTaken ? advice : error.message}\n`);
  process.exit(1);
});
const { proxy, servers, database, folder, apiKey, password } = cluster;
const body = JSON.stringify({ message: 'What is on my shopping list?' });
const rows = [
  ['Servers', ...servers.map(({ url, pid }) => `${url}  (process ${pid})`)],
  ['Database', database],
  ['Data', `${folder}  (deleted at the end)`],
  ['Answers', 'a scripted model (demo mode)'],
  ['Password', password],
  ['API key', apiKey],
].flatMap(([name = '', ...lines]) => lines.map((text, index) => [index === 0 ? name : '', text] as const));
process.stdout.write(`
  ${servers.length} servers are ready behind ${proxy.url}

${rows.map(([name, text]) => `  ${name.padEnd(10)}${text}`).join('\n')}

  Try it:
    curl -s ${proxy.url}/api/claude/chat -H 'X-API-Key: ${apiKey}' -H 'X-Notes-Person: sebastian' -H 'Content-Type: application/json' -d '${body}'
  Kill one, and see the others carry on:
    kill -9 ${servers[1]?.pid}

  Ctrl-C stops everything and deletes the data.
`);
await stopped;
process.stdout.write('\n  Stopping …\n');
await cluster.close();

/** Ctrl-C under npm arrives twice, from the terminal and from the script that started us. */
function requestToStop(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done());
  });
}
