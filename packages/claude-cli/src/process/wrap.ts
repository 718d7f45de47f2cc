// Runs the program inside another one, such as a sandbox. The host builds the command line. The driver only has to know
// how many processes are around the program, because a signal to the outer one would end the program at once.
import { readFileSync } from 'node:fs';
import { signalProcess } from './descendants.ts';

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

export interface WrappedCommand extends CommandLine {
  /** How many processes are above the program, each with one child; 0 if the outer program becomes the inner one. */
  readonly layers: number;
}

export type Wrap = (command: CommandLine) => WrappedCommand;

/** Signals the program that runs `layers` processes below `pid`. False if it is not there yet, or no longer. */
export function signalProgram(pid: number, layers: number, signal: NodeJS.Signals): boolean {
  const program = programBelow(pid, layers);
  return program !== undefined && signalProcess(program, signal);
}

/** With layers, this works on Linux only. */
function programBelow(pid: number, layers: number): number | undefined {
  if (layers === 0) return pid;
  const [child] = childrenOf(pid);
  return child === undefined ? undefined : programBelow(child, layers - 1);
}

function childrenOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
