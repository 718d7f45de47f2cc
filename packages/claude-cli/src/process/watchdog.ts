// Ends the processes of a host that died without cleaning up (kill -9, out of memory). A small shell waits on a pipe
// that the kernel closes when the host dies; then it ends every group it knows. One shell serves all sessions; it costs
// about a megabyte and no CPU time.
import { type ChildProcess, spawn } from 'node:child_process';
import { MARK_VARIABLE } from './descendants.ts';

export class Watchdog {
  readonly #watched = new Map<number, string>();
  #shell: ChildProcess | undefined;

  /** `pgid` leads a process group; `mark` is in the environment of all its descendants. */
  watch(pgid: number, mark: string): void {
    if (process.platform === 'win32') return;
    this.#watched.set(pgid, mark);
    if (this.#shell === undefined) this.#start();
    else this.#send('+', pgid, mark);
  }

  forget(pgid: number): void {
    const mark = this.#watched.get(pgid);
    if (mark === undefined) return;
    this.#watched.delete(pgid);
    this.#send('-', pgid, mark);
  }

  /** The watchdog's own process, for tests and for counting processes. */
  get pid(): number | undefined {
    return this.#shell?.pid;
  }

  /** Ends the shell and everything it still watches. */
  close(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #start(): void {
    const shell = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#shell = shell;
    // It must neither keep the host alive nor crash it.
    shell.unref();
    (shell.stdin as unknown as { unref?: () => void }).unref?.();
    shell.stdin?.on('error', () => undefined);
    shell.on('error', () => this.#lost(shell));
    shell.on('exit', () => this.#lost(shell));
    for (const [pgid, mark] of this.#watched) this.#send('+', pgid, mark);
  }

  /** Somebody ended the shell: the next session starts a new one, which gets the whole list. */
  #lost(shell: ChildProcess): void {
    if (this.#shell === shell) this.#shell = undefined;
  }

  #send(sign: '+' | '-', pgid: number, mark: string): void {
    this.#shell?.stdin?.write(`${sign} ${pgid} ${mark}\n`);
  }
}

const script = `
trap '' HUP INT TERM
watched=
while read -r sign pgid mark; do
  if [ "$sign" = + ]; then watched="$watched $pgid:$mark"; continue; fi
  kept=
  for entry in $watched; do [ "$entry" = "$pgid:$mark" ] || kept="$kept $entry"; done
  watched=$kept
done
[ -n "$watched" ] || exit 0
for entry in $watched; do kill -TERM "-\${entry%%:*}"; done
sleep 1
for entry in $watched; do
  kill -KILL "-\${entry%%:*}"
  for file in /proc/[0-9]*/environ; do
    if grep -q "${MARK_VARIABLE}=\${entry#*:}" "$file"; then pid=\${file#/proc/}; kill -KILL "\${pid%/environ}"; fi
  done
done
`;
