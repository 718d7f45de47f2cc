// Ends the processes of a host that died without a word (kill -9, out of memory). A tiny shell waits on a pipe that
// the kernel closes together with the host, whatever the host died of; then it ends every group it was told of.
// One shell serves all sessions; it costs about a megabyte and no time.
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
    else this.#tell('+', pgid, mark);
  }

  forget(pgid: number): void {
    const mark = this.#watched.get(pgid);
    if (mark === undefined) return;
    this.#watched.delete(pgid);
    this.#tell('-', pgid, mark);
  }

  /** The watchdog's own process, for tests and for whoever counts processes. */
  get pid(): number | undefined {
    return this.#shell?.pid;
  }

  /** Ends the shell. What is still watched ends with it. */
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
    // It must neither keep the host alive nor bring it down.
    shell.unref();
    (shell.stdin as unknown as { unref?: () => void }).unref?.();
    shell.stdin?.on('error', () => undefined);
    shell.on('error', () => this.#lost(shell));
    shell.on('exit', () => this.#lost(shell));
    for (const [pgid, mark] of this.#watched) this.#tell('+', pgid, mark);
  }

  /** Somebody ended the shell: the next session brings up a new one, which is told of all. */
  #lost(shell: ChildProcess): void {
    if (this.#shell === shell) this.#shell = undefined;
  }

  #tell(sign: '+' | '-', pgid: number, mark: string): void {
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
