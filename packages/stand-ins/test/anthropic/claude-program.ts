// The real `claude` program in a fresh home, pointed at the stand-in and driven over stdin and stdout.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { discoverProgram } from '@parley/claude-cli';

export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };
export type Permission = { readonly tool_name: string; readonly input: Readonly<Record<string, unknown>> };
export type Decision =
  | { behavior: 'allow'; updatedInput: Readonly<Record<string, unknown>> }
  | { behavior: 'deny'; message: string };
export type Turn = {
  readonly result: string;
  readonly failed: boolean;
  readonly cost: number;
  readonly frames: readonly Frame[];
  readonly asked: readonly Permission[];
};

export type ProgramOptions = {
  readonly args?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Allows everything by default. */
  readonly decide?: (permission: Permission) => Decision;
};

export class ClaudeProgram {
  readonly #root: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #decide: (permission: Permission) => Decision;
  readonly #errors: Buffer[] = [];

  private constructor(root: string, child: ChildProcess, decide: (permission: Permission) => Decision) {
    this.#root = root;
    this.#child = child;
    this.#decide = decide;
    if (child.stdout === null || child.stderr === null) throw new Error('claude was started without pipes');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.on('data', (chunk: Buffer) => this.#errors.push(chunk));
  }

  static async start(baseUrl: string, options: ProgramOptions = {}): Promise<ClaudeProgram> {
    const root = await mkdtemp(join(tmpdir(), 'parley-claude-'));
    const work = join(root, 'work');
    await mkdir(work);
    await mkdir(join(root, 'home'));
    for (const [name, content] of Object.entries(options.files ?? {}))
      await writeFile(join(work, name), content);
    const flags = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const child = spawn(
      discoverProgram(),
      [...flags, '--permission-prompt-tool', 'stdio', ...(options.args ?? [])],
      {
        cwd: work,
        stdio: 'pipe',
        env: {
          PATH: process.env['PATH'],
          HOME: join(root, 'home'),
          ANTHROPIC_BASE_URL: baseUrl,
          ANTHROPIC_API_KEY: 'any-word',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          IS_SANDBOX: '1',
        },
      },
    );
    const allow = ({ input }: Permission): Decision => ({ behavior: 'allow', updatedInput: input });
    const program = new ClaudeProgram(root, child, options.decide ?? allow);
    program.#send({ type: 'control_request', request_id: 'first', request: { subtype: 'initialize' } });
    return program;
  }

  get workspace(): string {
    return join(this.#root, 'work');
  }

  /** Sends one prompt and reads everything until its result. */
  async prompt(content: string): Promise<Turn> {
    this.#send({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
    });
    return this.untilResult();
  }

  async untilResult(): Promise<Turn> {
    const frames: Frame[] = [];
    const asked: Permission[] = [];
    for (;;) {
      const frame = await this.#next();
      frames.push(frame);
      if (frame.type === 'control_request') asked.push(this.#answer(frame));
      if (frame.type !== 'result') continue;
      return {
        result: String(frame['result']),
        failed: frame['is_error'] === true,
        cost: Number(frame['total_cost_usd']),
        frames,
        asked,
      };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await gone;
    }
    await rm(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #next(): Promise<Frame> {
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`claude ended early: ${Buffer.concat(this.#errors).toString()}`);
    return JSON.parse(line.value) as Frame;
  }

  #answer(frame: Frame): Permission {
    const permission = frame['request'] as Permission;
    const response = {
      subtype: 'success',
      request_id: frame['request_id'],
      response: this.#decide(permission),
    };
    this.#send({ type: 'control_response', response });
    return permission;
  }

  #send(frame: Frame): void {
    this.#child.stdin?.write(`${JSON.stringify(frame)}\n`);
  }
}
