// What Parley measures: turns, tokens, cost, latencies, open streams, the process.
import type { Usage } from '@parley/protocol';
import type { Metrics } from '../../../basics/metrics.ts';
import type { TurnObserver } from '../../../domain/turn-observer.ts';

export function metricsObserver(metrics: Metrics): TurnObserver {
  const turns = metrics.counter('parley_turns_total', 'Turns that ended.', ['engine', 'door', 'outcome']);
  const tokens = metrics.counter('parley_tokens_total', 'Tokens used, by kind.', ['engine', 'kind']);
  const cost = metrics.counter(
    'parley_cost_usd_total',
    'Cost of model calls in US dollars, where prices are known.',
    ['engine'],
  );
  const duration = metrics.histogram(
    'parley_turn_duration_seconds',
    'From the start of a turn to its end.',
    [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900],
    ['engine'],
  );
  const firstToken = metrics.histogram(
    'parley_first_token_seconds',
    'From the start of a turn to the first thing the model thinks, says or does.',
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ['engine'],
  );

  return {
    turnEnded({ engine, door, outcome, usage, durationMs, firstTokenMs }) {
      turns({ engine, door, outcome });
      for (const { kind, count } of tokensByKind(usage)) tokens({ engine, kind }, count);
      cost({ engine }, usage.costUsd);
      duration({ engine }, durationMs / 1_000);
      if (firstTokenMs !== undefined) firstToken({ engine }, firstTokenMs / 1_000);
    },
  };
}

/** Counted on demand, by wire. */
export function measureOpenStreams(metrics: Metrics, count: () => ReadonlyMap<string, number>): void {
  metrics.measure('parley_open_streams', 'Clients waiting for a turn, by wire.', () =>
    [...count()].map(([wire, open]) => [{ wire }, open] as const),
  );
}

/** The few figures of the process that cost nothing until somebody asks, under their usual names. */
export function measureProcess(metrics: Metrics, build: { version: string; demo: boolean }): void {
  metrics.measure(
    'process_cpu_seconds_total',
    'User and system CPU time spent.',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    'counter',
  );
  metrics.measure('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  metrics.measure(
    'process_start_time_seconds',
    'Start time of the process since the epoch.',
    () => Date.now() / 1_000 - process.uptime(),
  );
  metrics.measure('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  metrics.measure('parley_build_info', 'Always 1; the labels describe the build.', () => [
    [{ version: build.version, demo: String(build.demo) }, 1],
  ]);
}

function tokensByKind(usage: Usage): readonly { kind: string; count: number }[] {
  return [
    { kind: 'input', count: usage.inputTokens },
    { kind: 'output', count: usage.outputTokens },
    { kind: 'cache_read', count: usage.cacheReadTokens },
    { kind: 'cache_write', count: usage.cacheWriteTokens },
  ];
}
