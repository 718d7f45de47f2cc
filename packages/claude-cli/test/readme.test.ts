// The example of the README, run as it stands there, against the real program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reply, say } from '@parley/stand-ins';
import { expect, it } from 'vitest';
import { bundleFile } from '../../../scripts/bundle.mjs';
import { openRealProgram } from './support/real-program.ts';

it('runs the example of the README as shown', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(12);

  const real = await openRealProgram();
  const folder = join(import.meta.dirname, '../node_modules/.cache');
  const source = join(folder, `readme-${process.pid}.ts`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(source, example);
    real.standIn.enqueue(reply(say('Hello ', 'from the README')));
    const child = spawn(process.execPath, [await bundleFile(source)], {
      cwd: real.workingDir,
      env: real.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    expect(output).toBe('Hello from the README');
    expect(code).toBe(0);
  } finally {
    await rm(source, { force: true });
    await real.close();
  }
});
