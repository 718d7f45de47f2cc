// What this bundle can be besides the benchmark: a full-speed upstream, one that sends each event by itself as the
// service does, a bare proxy, a bare server.
import { createServer, request } from 'node:http';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { noMind, reply, say, stall, startAnthropicStandIn, wait } from '@parley/stand-ins';
import { keptConnections, word } from './clients.ts';

export async function play(role: string, port: number, deltas: number): Promise<void> {
  switch (role) {
    case 'upstream': {
      const standIn = await startAnthropicStandIn({ port, mind: noMind });
      const pieces = Array.from({ length: deltas }, (_, index) => `${word} ${index} `);
      standIn.script(() => true).always(reply(say(...pieces)));
      return;
    }
    case 'flushing-upstream': {
      const standIn = await startAnthropicStandIn({ port, mind: noMind });
      const pieces = Array.from({ length: deltas }, (_, index) => [
        wait(turnOfTheLoop),
        say(`${word} ${index} `),
      ]);
      standIn.script(() => true).always(reply(...pieces.flat()));
      return;
    }
    case 'silent-upstream': {
      const standIn = await startAnthropicStandIn({ port, mind: noMind });
      standIn.script(() => true).always(reply(say('first'), stall()));
      return;
    }
    case 'proxy': {
      const target = new URL(process.env['BENCH_TARGET'] ?? '');
      const agent = keptConnections();
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
