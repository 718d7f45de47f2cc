// Metrics in the text format of Prometheus: counters, histograms, and values that are measured when somebody asks. The
// usual library does more, but loading it with its dependencies takes a tenth of the startup time.

type Labels<Name extends string> = Readonly<Record<Name, string>>;

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}

/** One value, or one for each set of labels. */
type Measured = number | Iterable<readonly [Readonly<Record<string, string>>, number]>;

export class Metrics {
  static readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #metrics: Metric[] = [];

  /** Returns a function that counts. Without labels, the counter is reported from the start, as zero. */
  counter<Name extends string = never>(name: string, help: string, labelNames: readonly Name[] = []) {
    const series = new Series(() => ({ value: 0 }), labelNames);
    const samples = () => [...series].map(({ labels, value }) => ({ name, labels, value }));
    this.#metrics.push({ name, help, type: 'counter', samples });
    return (labels: Labels<Name>, by = 1): void => {
      series.at(labels).value += by;
    };
  }

  /** Returns a function that records a value. `buckets` are the upper bounds, ascending. */
  histogram<Name extends string = never>(
    name: string,
    help: string,
    buckets: readonly number[],
    labelNames: readonly Name[] = [],
  ) {
    const series = new Series(() => ({ counts: buckets.map(() => 0), count: 0, sum: 0 }), labelNames);
    const samples = () =>
      [...series].flatMap(({ labels, counts, count, sum }) => [
        ...[...buckets.entries(), [buckets.length, Number.POSITIVE_INFINITY] as const].map(([at, bound]) => ({
          name: `${name}_bucket`,
          labels: { le: shown(bound), ...labels },
          value: counts[at] ?? count,
        })),
        { name: `${name}_sum`, labels, value: sum },
        { name: `${name}_count`, labels, value: count },
      ]);
    this.#metrics.push({ name, help, type: 'histogram', samples });
    return (labels: Labels<Name>, value: number): void => {
      const one = series.at(labels);
      one.count += 1;
      one.sum += value;
      for (const [at, bound] of buckets.entries())
        if (value <= bound) one.counts[at] = (one.counts[at] ?? 0) + 1;
    };
  }

  /** Calls `read` whenever somebody reads the metrics. If it fails, the value is NaN; the others are still reported. */
  measure(
    name: string,
    help: string,
    read: () => Measured | Promise<Measured>,
    type: 'gauge' | 'counter' = 'gauge',
  ): void {
    const samples = async () => {
      const measured = await Promise.resolve()
        .then(read)
        .catch(() => Number.NaN);
      const values = typeof measured === 'number' ? [[{}, measured] as const] : [...measured];
      return values.map(([labels, value]) => ({ name, labels, value }));
    };
    this.#metrics.push({ name, help, type, samples });
  }

  async text(): Promise<string> {
    const texts = this.#metrics.map(async ({ name, help, type, samples }) => {
      const lines = [...(await samples())].map(lineOf);
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
    });
    return (await Promise.all(texts)).join('\n');
  }
}

/** What is counted for each set of labels. */
class Series<Name extends string, Value extends object> {
  readonly #values = new Map<string, Value & { readonly labels: Labels<Name> }>();
  readonly #empty: () => Value;

  constructor(empty: () => Value, labelNames: readonly Name[]) {
    this.#empty = empty;
    if (labelNames.length === 0) this.at({} as Labels<Name>);
  }

  at(labels: Labels<Name>): Value {
    const key = JSON.stringify(labels);
    const known = this.#values.get(key);
    if (known) return known;
    const added = { ...this.#empty(), labels };
    this.#values.set(key, added);
    return added;
  }

  [Symbol.iterator]() {
    return this.#values.values();
  }
}

function lineOf({ name, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${shown(value)}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function shown(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
