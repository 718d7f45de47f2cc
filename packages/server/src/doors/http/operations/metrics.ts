// Prometheus metrics: turns, tokens, cost, latencies, open streams, the process.
import type { Usage } from '@parley/protocol';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { TurnObserver } from '../../../domain/turn-observer.ts';

export function metricsObserver(registry: Registry): TurnObserver {
  const registers = [registry];
  const turns = new Counter({
    name: 'parley_turns_total',
    help: 'Turns that ended.',
    labelNames: ['engine', 'door', 'outcome'] as const,
    registers,
  });
  const tokens = new Counter({
    name: 'parley_tokens_total',
    help: 'Tokens used, by kind.',
    labelNames: ['engine', 'kind'] as const,
    registers,
  });
  const cost = new Counter({
    name: 'parley_cost_usd_total',
    help: 'Cost of model calls in US dollars, where prices are known.',
    labelNames: ['engine'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'parley_turn_duration_seconds',
    help: 'From the start of a turn to its end.',
    labelNames: ['engine'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900],
    registers,
  });
  const firstToken = new Histogram({
    name: 'parley_first_token_seconds',
    help: 'From the start of a turn to the first thing the model thinks, says or does.',
    labelNames: ['engine'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });

  return {
    turnEnded({ engine, door, outcome, usage, durationMs, firstTokenMs }) {
      turns.inc({ engine, door, outcome });
      for (const { kind, count } of tokensByKind(usage)) tokens.inc({ engine, kind }, count);
      cost.inc({ engine }, usage.costUsd);
      duration.observe({ engine }, durationMs / 1_000);
      if (firstTokenMs !== undefined) firstToken.observe({ engine }, firstTokenMs / 1_000);
    },
  };
}

/** Counted on demand, by wire. */
export function registerOpenStreams(registry: Registry, count: () => ReadonlyMap<string, number>): void {
  const openStreams = new Gauge({
    name: 'parley_open_streams',
    help: 'Clients waiting for a turn, by wire.',
    labelNames: ['wire'] as const,
    registers: [],
    collect() {
      for (const [wire, open] of count()) this.set({ wire }, open);
    },
  });
  registry.registerMetric(openStreams);
}

/**
 * The few process figures that cost nothing until somebody asks, under their usual names. The library's default set
 * would keep a sampling timer and a garbage collection observer running.
 */
export function registerProcessMetrics(registry: Registry, build: { version: string; demo: boolean }): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent.',
    registers: [],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  registry.registerMetric(cpu);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge(
    'process_start_time_seconds',
    'Start time of the process since the epoch.',
    () => Date.now() / 1_000 - process.uptime(),
  );
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  new Gauge({
    name: 'parley_build_info',
    help: 'Always 1; the labels describe the build.',
    labelNames: ['version', 'demo'] as const,
    registers,
  }).set({ version: build.version, demo: String(build.demo) }, 1);
}

function tokensByKind(usage: Usage): readonly { kind: string; count: number }[] {
  return [
    { kind: 'input', count: usage.inputTokens },
    { kind: 'output', count: usage.outputTokens },
    { kind: 'cache_read', count: usage.cacheReadTokens },
    { kind: 'cache_write', count: usage.cacheWriteTokens },
  ];
}
