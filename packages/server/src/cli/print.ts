// Prints the result of a command, or why it failed, and returns the exit code.

export function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

export function fail(text: string, code = 1): number {
  process.stderr.write(`parley: ${text}\n`);
  return code;
}
