// The metrics of a server in a cluster: its lease, its sessions, takeovers, and what is forwarded between servers.
import type { Metrics } from '../basics/metrics.ts';

/** Older events are history that somebody reads later, so their age says nothing about the lag. */
const liveMs = 10_000;

interface Measured {
  readonly leaseAge: () => number;
  readonly owned: () => number;
  readonly servers: () => Promise<number>;
}

export function clusterMetrics(metrics: Metrics, measured: Measured) {
  metrics.measure(
    'parley_lease_age_seconds',
    'How long ago this server renewed its lease.',
    measured.leaseAge,
  );
  metrics.measure('parley_owned_sessions', 'Sessions that this server owns.', measured.owned);
  metrics.measure('parley_servers', 'Servers with a valid lease.', measured.servers);
  const takeovers = metrics.counter(
    'parley_takeovers_total',
    'Sessions that this server took over from one that had stopped without handing them over.',
  );
  const forwarded = metrics.counter(
    'parley_forwarded_calls_total',
    'Calls that this server passed on to the owner of a session.',
    ['call'],
  );
  const lag = metrics.histogram(
    'parley_forwarded_event_lag_seconds',
    'From when the owner of a session published an event to when it arrived here, by the clocks of both.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  );
  return {
    takeover: () => takeovers({}),
    forwarded: (call: string) => forwarded({ call }),
    lag: (ms: number) => {
      if (ms < liveMs) lag({}, Math.max(ms, 0) / 1_000);
    },
  };
}
