import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killMarked, MARK_VARIABLE } from '../../src/process/descendants.ts';
import { findMarked } from '../support/processes.ts';

describe.runIf(process.platform === 'linux')('the processes that a program leaves behind', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'descendants-'));
    program = join(folder, 'restarts-itself');
    await writeFile(program, '#!/bin/sh\nexec "$0"\n');
    await chmod(program, 0o755);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are ended even if they are always in the middle of an exec [driver.process.no-orphans]', async () => {
    for (let round = 0; round < 10; round += 1) {
      const mark = `restarts-${process.pid}-${round}`;
      const children = Array.from({ length: 5 }, () =>
        spawn(program, { stdio: 'ignore', detached: true, env: { [MARK_VARIABLE]: mark } }),
      );
      const ends = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      await killMarked(mark);
      const left = await findMarked(mark);
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
      expect(left).toEqual([]);
    }
  });
});
