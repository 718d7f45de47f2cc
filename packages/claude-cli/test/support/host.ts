// A separate Node process that drives a program (the example `talk`), so that a test can kill it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleFile } from '../../../../scripts/bundle.mjs';
import { markOf } from './processes.ts';

export interface Host {
  readonly process: ChildProcess;
  /** The process of the program, and the mark that all its descendants carry. */
  readonly pid: number;
  readonly mark: string;
}

/** Starts a host and sends one prompt. */
export async function startHost(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Host> {
  const bundle = await bundleFile(join(import.meta.dirname, '../../examples/talk.ts'));
  const child = spawn(process.execPath, [bundle, ...args], {
    env: environment,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.write('Go\n');
  const pid = await reportedPid(child);
  return { process: child, pid, mark: await markOf(pid) };
}

async function reportedPid(child: { readonly stderr: NodeJS.ReadableStream }): Promise<number> {
  const complaints: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    const pid = /runs as process (\d+)/.exec(line)?.[1];
    if (pid !== undefined) return Number(pid);
    complaints.push(line);
  }
  throw new Error(`the host ended: ${complaints.join('\n')}`);
}
