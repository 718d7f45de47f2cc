// The notes assistant, compared with a client that talks to the stand-in directly, and with a bare proxy.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createGate, noFallback, reply, say, startAnthropicStandIn, wait } from '@parley/stand-ins';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { ask, direct, hold, type Route, throughParley, word } from './parts/clients.ts';
import { heapGauge } from './parts/gauges.ts';
import { nowhere, residentKb, startRole, startServer } from './parts/processes.ts';
import { play } from './parts/roles.ts';

/** How many streams are open at the same time. */
const streams = 200;

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    role: { type: 'string' },
    port: { type: 'string', default: '0' },
    deltas: { type: 'string', default: '200' },
  },
  strict: false,
});

if (typeof values.role === 'string') await play(values.role, Number(values.port), Number(values.deltas));
else await measure(values.full === true);

async function measure(full: boolean): Promise<void> {
  report('notes-door', [
    ...(await startFigures(full ? 15 : 5)),
    ...(await latencyFigures(full ? 3_000 : 500)),
    ...(await throughputFigures('in bursts', 'upstream', full ? 5_000 : 2_000)),
    ...(await throughputFigures('one by one', 'flushing-upstream', full ? 1_000 : 300)),
    ...(await memoryFigures(full ? 2_000 : 400)),
  ]);
}

/** One event at a time: from the moment the model sends it to its arrival at the client. */
async function latencyFigures(events: number): Promise<readonly Figure[]> {
  await using standIn = await startAnthropicStandIn({ fallback: noFallback });
  const server = await startServer(standIn.url);
  const pass = async (route: Route) => {
    const gates = Array.from({ length: events }, () => createGate());
    standIn.enqueue(reply(...gates.flatMap((gate) => [wait(gate.opened), say(`${word} `)])));
    const samples: number[] = [];
    let next = 0;
    let openedAt = 0;
    const open = () => {
      openedAt = performance.now();
      gates[next++]?.open();
    };
    const answer = ask(route, () => {
      samples.push(performance.now() - openedAt);
      setImmediate(open);
    });
    await standIn.waitForRequest();
    setTimeout(open, 50);
    await answer;
    return samples;
  };
  await pass(direct(standIn.url));
  await pass(throughParley(server.url));
  const bare = await pass(direct(standIn.url));
  const parley = await pass(throughParley(server.url));
  await server.close();
  const added = (share: number) => percentile(parley, share) - percentile(bare, share);
  const comparison = (share: number) => `directly to the stand-in: ${percentile(bare, share).toFixed(3)} ms`;
  return [
    {
      what: 'added latency per event, p50',
      value: added(0.5),
      unit: 'ms',
      goal: { atMost: 0.5 },
      comparison: comparison(0.5),
    },
    {
      what: 'added latency per event, p99',
      value: added(0.99),
      unit: 'ms',
      goal: { atMost: 3 },
      comparison: comparison(0.99),
    },
  ];
}

/** The service sends each event separately; a slow network or a delayed service turns them into bursts. */
async function throughputFigures(how: string, role: string, deltas: number): Promise<readonly Figure[]> {
  const upstream = await startRole(role, `--deltas=${deltas}`);
  process.env['BENCH_TARGET'] = upstream.url;
  const proxy = await startRole('proxy');
  const server = await startServer(upstream.url);
  const rate = async (route: Route) => {
    const start = performance.now();
    const counts = await Promise.all(Array.from({ length: streams }, () => ask(route)));
    const seconds = (performance.now() - start) / 1_000;
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total !== streams * deltas) throw new Error(`${total} of ${streams * deltas} pieces arrived`);
    return total / seconds;
  };
  const routes = {
    bare: direct(upstream.url),
    proxy: direct(proxy.url),
    parley: throughParley(server.url),
  };
  const best = { bare: 0, proxy: 0, parley: 0 };
  for (let round = 0; round < 4; round += 1) {
    for (const name of ['bare', 'proxy', 'parley'] as const)
      best[name] = Math.max(best[name], await rate(routes[name]));
    // Work that the server does afterwards, such as indexing the answers, must not slow the others down.
    await pause(3_000);
  }
  await Promise.all([server.close(), proxy.close(), upstream.close()]);
  return [
    {
      what: `events per second, ${streams} streams, ${how}`,
      value: best.parley,
      unit: 'events/s',
      comparison: `bare proxy ${Math.round(best.proxy)}, direct ${Math.round(best.bare)}`,
    },
    {
      what: `share of the bare proxy, ${how}`,
      value: (best.parley / best.proxy) * 100,
      unit: '%',
      goal: { atLeast: 60 },
    },
  ];
}

async function memoryFigures(sessions: number): Promise<readonly Figure[]> {
  const upstream = await startRole('upstream', '--deltas=3');
  const figures = [
    await idleFigure(upstream.url),
    await idleSessionFigure(upstream.url, sessions),
    await openStreamFigure(400),
  ];
  await upstream.close();
  return figures;
}

/**
 * The second start, because the first one creates a password, and hashing it takes memory. V8 gives back what the start
 * needed after about a minute without work.
 */
async function idleFigure(upstream: string): Promise<Figure> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const first = await startServer(upstream, { home });
  await first.close();
  const server = await startServer(upstream, { home });
  await pause(1_000);
  const atStart = residentKb(server.pid);
  await pause(75_000);
  const idle = residentKb(server.pid);
  await server.close();
  rmSync(home, { recursive: true, force: true });
  return {
    what: 'idle RSS',
    value: idle / 1_024,
    unit: 'MB',
    goal: { atMost: 80 },
    comparison: `right after the start: ${(atStart / 1_024).toFixed(0)} MB`,
  };
}

/** How much memory a session takes after its turn, measured on the heap, so that garbage doesn't count. */
async function idleSessionFigure(upstream: string, sessions: number): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const gauge = heapGauge(folder);
  const server = await startServer(upstream, { nodeFlags: gauge.flags });
  const talk = async (count: number) => {
    for (let done = 0; done < count; done += 10) {
      await Promise.all(Array.from({ length: 10 }, () => ask(throughParley(server.url))));
    }
    return { heap: await gauge.read(server.pid), residentKb: residentKb(server.pid) };
  };
  const before = await talk(sessions);
  const after = await talk(sessions);
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  const resident = (after.residentKb - before.residentKb) / sessions;
  return {
    what: 'memory per idle session',
    value: Math.max(0, after.heap - before.heap) / 1_024 / sessions,
    unit: 'KB',
    goal: { atMost: 20 },
    comparison: `RSS growth: ${resident.toFixed(1)} KB`,
  };
}

async function openStreamFigure(streams: number): Promise<Figure> {
  const upstream = await startRole('silent-upstream');
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const gauge = heapGauge(folder);
  const server = await startServer(upstream.url, { nodeFlags: gauge.flags });
  const open = async (count: number) => {
    const held = await Promise.all(Array.from({ length: count }, () => hold(throughParley(server.url))));
    return { held, heap: await gauge.read(server.pid), residentKb: residentKb(server.pid) };
  };
  const first = await open(streams);
  const second = await open(streams);
  for (const stream of [...first.held, ...second.held]) stream.close();
  await Promise.all([server.close(), upstream.close()]);
  rmSync(folder, { recursive: true, force: true });
  const resident = (second.residentKb - first.residentKb) / streams;
  return {
    what: 'memory per open stream',
    value: (second.heap - first.heap) / 1_024 / streams,
    unit: 'KB',
    goal: { atMost: 60 },
    comparison: `RSS growth: ${resident.toFixed(1)} KB`,
  };
}

/** The first start in a home creates databases and a password; later ones are what people usually wait for. */
async function startFigures(rounds: number): Promise<readonly Figure[]> {
  const [first, later, bare]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    for (const times of [first, later]) {
      const server = await startServer(nowhere, { home });
      times.push(server.startMs);
      await server.close();
    }
    rmSync(home, { recursive: true, force: true });
    const floor = await startRole('bare');
    bare.push(floor.startMs);
    await floor.close();
  }
  const figure = (what: string, times: readonly number[]): Figure => ({
    what,
    value: percentile(times, 0.5),
    unit: 'ms',
    goal: { atMost: 300 },
    comparison: `a bare Node server (this bundle): ${percentile(bare, 0.5).toFixed(0)} ms`,
  });
  return [
    figure('first start in a home to first answer, median', first),
    figure('later starts to first answer, median', later),
  ];
}
