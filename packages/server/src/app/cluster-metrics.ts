// The metrics of one of several servers: leases, owned sessions, takeovers, and what goes to others.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** An event that is older was read from the record, by somebody who came later. */
const liveMs = 10_000;

interface Measured {
  readonly leaseAge: () => number;
  readonly owned: () => number;
  readonly servers: () => Promise<number>;
}

export function clusterMetrics(metrics: Registry, measured: Measured) {
  const registers = [metrics];
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // Without the database there is no answer, and the other metrics must still come.
        const value = await Promise.resolve(read()).catch(() => Number.NaN);
        this.set(value);
      },
    });
  gauge('parley_lease_age_seconds', 'How long ago this server renewed its lease.', measured.leaseAge);
  gauge('parley_owned_sessions', 'Sessions that this server owns.', measured.owned);
  gauge('parley_servers', 'Servers whose lease is not over.', measured.servers);
  const takeovers = new Counter({
    name: 'parley_takeovers_total',
    help: 'Sessions that this server took over from one that had stopped without handing them over.',
    registers,
  });
  const forwarded = new Counter({
    name: 'parley_forwarded_calls_total',
    help: 'Calls that this server passed on to the owner of a session.',
    labelNames: ['call'] as const,
    registers,
  });
  const lag = new Histogram({
    name: 'parley_forwarded_event_lag_seconds',
    help: 'From when the owner of a session published an event to when it arrived here, by the clocks of both.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  return {
    takeover: () => takeovers.inc(),
    forwarded: (call: string) => forwarded.inc({ call }),
    lag: (ms: number) => {
      if (ms < liveMs) lag.observe(Math.max(ms, 0) / 1_000);
    },
  };
}
