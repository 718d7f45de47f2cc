// The other roles of this bundle: an upstream at full speed, one that sends each event separately as the service does, one
// that is also as slow as a model, a silent one, a bare proxy, and a bare server.
import { createServer, request } from 'node:http';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import { noFallback, reply, say, stall, startAnthropicStandIn, wait } from '@parley/stand-ins';
import { reusedConnections, word } from './clients.ts';

/** About how fast a model writes. */
export const betweenWordsMs = 20;

export async function play(role: string, port: number, deltas: number): Promise<void> {
  switch (role) {
    case 'upstream': {
      const standIn = await startAnthropicStandIn({ port, fallback: noFallback });
      const pieces = Array.from({ length: deltas }, (_, index) => `${word} ${index} `);
      standIn.script(() => true).always(reply(say(...pieces)));
      return;
    }
    case 'flushing-upstream': {
      const standIn = await startAnthropicStandIn({ port, fallback: noFallback });
      const pieces = Array.from({ length: deltas }, (_, index) => [wait(nextTick), say(`${word} ${index} `)]);
      standIn.script(() => true).always(reply(...pieces.flat()));
      return;
    }
    case 'steady-upstream': {
      const standIn = await startAnthropicStandIn({ port, fallback: noFallback });
      const later = Array.from({ length: deltas - 1 }, (_, index) => [
        wait(() => pause(betweenWordsMs)),
        say(`${word} ${index} `),
      ]);
      standIn.script(() => true).always(reply(say(`${word} `), ...later.flat()));
      return;
    }
    case 'silent-upstream': {
      const standIn = await startAnthropicStandIn({ port, fallback: noFallback });
      standIn.script(() => true).always(reply(say('first'), stall()));
      return;
    }
    case 'proxy': {
      const target = new URL(process.env['BENCH_TARGET'] ?? '');
      const agent = reusedConnections();
      createServer((incoming, outgoing) => {
        const { method, headers, url } = incoming;
        const options = { method, headers, agent };
        const forward = request(new URL(url ?? '/', target), options, (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        });
        incoming.pipe(forward);
      }).listen(port, '127.0.0.1');
      return;
    }
    case 'bare':
      createServer((_, outgoing) => outgoing.end('ok')).listen(port, '127.0.0.1');
      return;
    default:
      throw new Error(`no such role: ${role}`);
  }
}
