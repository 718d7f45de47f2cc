// Readers of frames get exactly the bytes that the program writes to stdout.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, reply, say, think } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow, type CodeHarness, framesIn, openCodeHarness, person, runTurn } from './harness.ts';

describe('frames', () => {
  let code: CodeHarness;
  let log: string;
  beforeAll(async () => {
    const plain = await openCodeHarness();
    const real = await plain.engine.findProgram();
    await plain.close();
    code = await openCodeHarness({ program: 'claude-with-a-log' });
    log = join(code.root, 'stdout.log');
    // Runs the real program and saves a copy of everything that it writes. Only the program reacts to SIGTERM: `tee`
    // must not end between writing a line to its output and writing it to the log.
    const script = ['#!/bin/sh', 'trap : TERM', `'${real}' "$@" | (trap '' TERM; exec tee -a '${log}')`];
    await writeFile(code.program, `${script.join('\n')}\n`);
    await chmod(code.program, 0o755);
  });
  afterAll(() => code.close());

  it('are exactly the lines that the program wrote, except the control protocol', async () => {
    const { id } = await code.newSession();
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { event } of code.gateway.subscribe(person, id, { signal: stop.signal })) {
        seen.push(...framesIn([event]));
      }
    })();
    await code.gateway.wake(person, id);
    for (const text of ['Ünïcödé \u2028 "quotes" \\ \u0000 🎈', 'And again']) {
      code.standIn.enqueue(
        reply(
          think('Hm.'),
          say(text, '\n\t'),
          callTool('Bash', { command: 'touch made.txt', description: 'Touch' }),
        ),
        reply('Made.'),
      );
      await runTurn(code, id, text, { decide: () => allow });
    }
    const written = async () =>
      (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '' && !isControl(line));
    // The program writes its last frames when it is put to sleep.
    await code.gateway.configure(person, id, { effort: 'low' });
    expect(code.engine.statusOf(id)).toBe('archived');
    await expect.poll(() => seen.length, { timeout: 60_000 }).toBe((await written()).length);
    expect(seen).toEqual(await written());
    stop.abort();
    await reading;
    expect(seen.length).toBeGreaterThan(40);
  });
});

function isControl(line: string): boolean {
  return (JSON.parse(line) as { type: string }).type.startsWith('control_');
}
