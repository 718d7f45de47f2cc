// The program without the driver: spawned and written to by hand.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { buildArguments, discoverProgram } from '../../src/index.ts';

/**
 * Spawns like the driver: the kernel shares CPU time among process sessions, and the program batches its frames
 * differently after `initialize`.
 */
export function spawnBare(workingDir: string, program: string | undefined): ChildProcessWithoutNullStreams {
  const child = spawn(program ?? discoverProgram(), buildArguments({}), {
    cwd: workingDir,
    stdio: 'pipe',
    detached: true,
  });
  child.stderr.resume();
  const request = { subtype: 'initialize' };
  child.stdin.write(`${JSON.stringify({ type: 'control_request', request_id: 'bench', request })}\n`);
  return child;
}

export function userLine(words: number): string {
  const message = { role: 'user', content: `Say ${words} words` };
  return `${JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '' })}\n`;
}
