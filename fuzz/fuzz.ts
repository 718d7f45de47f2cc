// Coverage-guided fuzzing: mutates inputs at random, keeps those that reach new code, and mutates them further.
// `--runs=N` or `--seconds=N` limits the search, `--seed=N` repeats one, `--input=FILE` runs one input.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Coverage, type Covered, startCoverage } from './coverage.ts';
import { mutate } from './mutate.ts';
import { type Random, seededRandom } from './random.ts';

export interface Target {
  readonly name: string;
  readonly seeds: readonly string[];
  /** What inputs often contain. */
  readonly words?: readonly string[];
  /** Throws if something is wrong. Its random numbers depend only on the input. */
  readonly check: (input: Buffer, random: Random) => void | Promise<void>;
}

/** Reading the coverage takes longer than a run, so it is read once per batch. */
const batchSize = 16;
const maxKept = 500;
/** How often a piece of code may run: a base for any input, plus an allowance for each of its bytes. */
const maxTimes = { always: 20_000, perByte: 500 };
const folder = join(process.cwd(), 'node_modules', '.cache', 'fuzz');

export async function fuzz(target: Target): Promise<void> {
  const options = { runs: text, seconds: { ...text, default: '30' }, seed: text, input: text };
  const { values } = parseArgs({ options });
  const seed = Number(values.seed ?? Date.now() % 1e6);
  const until = Date.now() + Number(values.seconds) * 1_000;
  const { runs: most } = values;
  mkdirSync(folder, { recursive: true });
  const coverage = startCoverage();
  const search = new Search(target, seededRandom(seed), coverage);
  try {
    if (values.input !== undefined) await search.tryOut(readFileSync(values.input));
    else await search.run((runs) => (most === undefined ? Date.now() >= until : runs >= Number(most)));
  } catch (error) {
    console.log(error);
    process.exitCode = 1;
  } finally {
    coverage.close();
  }
  console.log(`${target.name}: ${search.runs} inputs, ${search.kept} kept, seed ${seed}`);
}

const text = { type: 'string' } as const;

class Search {
  runs = 0;
  readonly #target: Target;
  readonly #random: Random;
  readonly #coverage: Coverage;
  readonly #corpus: Buffer[] = [];

  constructor(target: Target, random: Random, coverage: Coverage) {
    this.#target = target;
    this.#random = random;
    this.#coverage = coverage;
  }

  get kept(): number {
    return this.#corpus.length;
  }

  async run(isOver: (runs: number) => boolean): Promise<void> {
    const { seeds, words = [] } = this.#target;
    for (const seed of seeds) await this.#learnFrom(Buffer.from(seed));
    this.#corpus.push(Buffer.alloc(0));
    while (!isOver(this.runs)) {
      const inputs = Array.from({ length: batchSize }, () => mutate(this.#corpus, words, this.#random));
      const covered = await this.#coveredBy(inputs);
      if (covered && !covered.isNew && covered.most <= maxTimes.always) continue;
      for (const input of inputs) await this.#learnFrom(input);
      // Some of this coverage comes from making the inputs, not from running them.
      covered?.remember();
    }
  }

  /** Throws if the input fails or keeps some code too busy. Returns whether it reached something new. */
  async tryOut(input: Buffer): Promise<boolean> {
    await this.#target.check(input, seededRandom(input.length));
    const covered = this.#coverage.take();
    covered.remember();
    const allowed = maxTimes.always + input.length * maxTimes.perByte;
    if (covered.most > allowed) throw new Error(`some code ran ${covered.most} times, more than ${allowed}`);
    return covered.isNew;
  }

  /** Returns undefined if one of them fails. */
  async #coveredBy(inputs: readonly Buffer[]): Promise<Covered | undefined> {
    // Tells which inputs to look at if a run never ends.
    const batch = inputs.map((input) => input.toString('base64')).join('\n');
    writeFileSync(join(folder, `${this.#target.name}.last`), batch);
    this.runs += inputs.length;
    try {
      for (const input of inputs) await this.#target.check(input, seededRandom(input.length));
    } catch {
      return undefined;
    }
    return this.#coverage.take();
  }

  async #learnFrom(input: Buffer): Promise<void> {
    try {
      if (!(await this.tryOut(input))) return;
    } catch {
      throw await this.#failure(input);
    }
    if (this.kept < maxKept) this.#corpus.push(input);
    else this.#corpus[this.#random.int(maxKept)] = input;
  }

  /** Shrinks the input while it still fails, saves it, and returns the error to throw. */
  async #failure(given: Buffer): Promise<Error> {
    let input = given;
    let cause: unknown;
    for (let size = input.length; size > 0; size = Math.floor(size / 2)) {
      for (let at = 0; at < input.length; ) {
        const shorter = Buffer.concat([input.subarray(0, at), input.subarray(at + size)]);
        const failed = await this.tryOut(shorter).then(
          () => false,
          () => true,
        );
        if (failed) input = shorter;
        else at += size;
      }
    }
    await this.tryOut(input).catch((error: unknown) => {
      cause = error;
    });
    const digest = createHash('sha256').update(input).digest('hex');
    const file = join(folder, `${this.#target.name}-${digest.slice(0, 8)}`);
    writeFileSync(file, input);
    return new Error(`fails for ${JSON.stringify(input.toString())}, which is in ${file}`, { cause });
  }
}
