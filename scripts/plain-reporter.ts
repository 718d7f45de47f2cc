// Ends a test run with the plain line `N passed, N failed, N skipped` that every CI can read, and records what each
// test did for `npm run requirements`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { TestResult } from '../requirements/proof.ts';

export default class PlainReporter implements Reporter {
  #root = process.cwd();

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => this.#resultOf(test)),
    );
    const brokenModules = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    );
    const count = (state: TestResult['state']) => tests.filter((test) => test.state === state).length;
    const failed = count('failed') + brokenModules.length + unhandled.length;
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';

    const folder = join(this.#root, 'node_modules');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.parley-test-run.json'), JSON.stringify({ endedAt: new Date(), tests }));
    // After the default reporter's own summary, which is written in the same tick.
    setImmediate(() => process.stdout.write(`${count('passed')} passed, ${failed} failed${skipped}\n`));
  }

  #resultOf(test: TestCase): TestResult[] {
    const { state } = test.result();
    if (state === 'pending') return [];
    const titles = [test.name];
    for (let group = test.parent; group.type === 'suite'; group = group.parent) titles.unshift(group.name);
    return [{ file: relative(this.#root, test.module.moduleId), titles, state }];
  }
}
