// Runs the real `claude` program without Parley, for comparison.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { buildArguments, discoverProgram } from '@parley/claude-cli';

export interface BareProgram {
  /** Milliseconds from the prompt to the first frame with the word. Resolves when the turn is over. */
  firstToken(word: string): Promise<number>;
  /** Resolves when it has ended. */
  close(): Promise<void>;
}

/** The same flags that Parley uses, so that only the route to the program differs. */
const asParleyStartsIt = { permission_prompt_tool: 'stdio', replay_user_messages: true } as const;

export function startBareProgram(
  workingDir: string,
  environment: Readonly<Record<string, string>>,
): BareProgram {
  const child = spawn(discoverProgram(), buildArguments(asParleyStartsIt), {
    cwd: workingDir,
    env: environment,
    stdio: 'pipe',
    detached: true,
  });
  child.stderr.resume();
  const lines = createInterface({ input: child.stdout });
  write(child, { type: 'control_request', request_id: 'bench', request: { subtype: 'initialize' } });
  return {
    firstToken: (word) => firstToken(child, lines, word),
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

function firstToken(child: ChildProcessWithoutNullStreams, lines: Interface, word: string): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    let first: number | undefined;
    const onLine = (line: string) => {
      if (first === undefined && line.includes('content_block_delta') && line.includes(word))
        first = performance.now() - start;
      if (!line.includes('"type":"result"')) return;
      lines.off('line', onLine);
      resolve(first ?? Number.NaN);
    };
    lines.on('line', onLine);
    const message = { role: 'user', content: 'go' };
    write(child, { type: 'user', message, parent_tool_use_id: null, session_id: '' });
  });
}

function write(child: ChildProcessWithoutNullStreams, line: object): void {
  child.stdin.write(`${JSON.stringify(line)}\n`);
}
