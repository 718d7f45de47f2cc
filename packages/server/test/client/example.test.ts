// The client's example, bundled and run as its comment says.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { expect, it } from 'vitest';
import { petrasKey, startDoor } from '../doors/http/door-harness.ts';

it('asks an assistant and prints the answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-example-'));
  const door = await startDoor();
  try {
    const file = join(folder, 'ask.mjs');
    await build({
      input: join(import.meta.dirname, '../../../client/examples/ask.ts'),
      platform: 'node',
      output: { file },
      logLevel: 'silent',
    });
    const { stdout } = await promisify(execFile)(process.execPath, [file, 'notes', 'Good morning'], {
      env: { ...process.env, PARLEY_URL: door.url, PARLEY_API_KEY: petrasKey },
    });
    expect(stdout.trim()).toBe('You said: Good morning');
  } finally {
    await door.stop();
    await rm(folder, { recursive: true });
  }
});
