// The measured readers of a live program, each in its own process so that its CPU time is its own.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { lastUserText, reply, say, startAnthropicStandIn } from '@parley/stand-ins';
import { sentAt } from '../../../../bench/frame-writer.ts';
import { createProvider, discoverProgram, type Session } from '../../src/index.ts';
import { spawnBare, userLine } from './bare-program.ts';

interface RoleSetup {
  readonly deltas: number;
  readonly workingDir: string;
  /** Runs instead of the real program. */
  readonly program: string | undefined;
}

type Role = (setup: RoleSetup) => Promise<Readonly<Record<string, number | readonly number[]>>>;

export const roles: Readonly<Record<string, Role>> = {
  'stand-in': standIn,
  counter,
  frames,
  events,
  sdk,
  'bare-latency': bareLatency,
  'our-latency': ourLatency,
  'bare-first-token': bareFirstToken,
  'our-first-token': ourFirstToken,
  'pool-first-token': poolFirstToken,
};

/** The driver does not inherit these by default. */
const environment = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };

/** Long enough for the JIT compiler to finish. */
const WARM_UP = 10_000;
const NEWLINE = 0x0a;

/** Answers with as many deltas as the prompt asks for; runs until it is killed. */
async function standIn(): Promise<never> {
  const server = await startAnthropicStandIn({ record: { requests: 1 } });
  server
    .script(() => true)
    .always((request) => {
      const count = Number(/\d+/.exec(lastUserText(request.body))?.[0] ?? 1);
      return reply(say(...Array.from({ length: count }, (_, index) => `word ${index} `)));
    });
  console.log(server.url);
  return new Promise(() => undefined);
}

/** The floor: reads the pipe and counts newlines. */
async function counter({ deltas, workingDir, program }: RoleSetup) {
  const child = spawnBare(workingDir, program);
  let lines = 0;
  let finish = (): void => undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    // Only the last frame of a turn has the cost.
    if (chunk.includes('"total_cost_usd"')) finish();
  });
  const turn = (count: number): Promise<void> =>
    new Promise((resolve) => {
      finish = resolve;
      child.stdin.write(userLine(count));
    });
  await turn(WARM_UP);
  const measured = await measureCpu(
    () => lines,
    () => turn(deltas),
  );
  child.kill('SIGKILL');
  return measured;
}

async function frames(setup: RoleSetup) {
  return withSession(setup, async (session) => {
    let count = 0;
    let finish = (): void => undefined;
    session.onFrame((frame) => {
      count += 1;
      if (frame.type === 'result') finish();
    });
    const turn = async (deltas: number): Promise<void> => {
      const ended = new Promise<void>((resolve) => {
        finish = resolve;
      });
      await session.sendInput(`Say ${deltas} words`);
      await ended;
    };
    await turn(WARM_UP);
    return measureCpu(
      () => count,
      () => turn(setup.deltas),
    );
  });
}

async function events(setup: RoleSetup) {
  return withSession(setup, async (session) => {
    let count = 0;
    session.onFrame(() => {
      count += 1;
    });
    const feed = session.events();
    const turn = async (deltas: number): Promise<void> => {
      await session.sendInput(`Say ${deltas} words`);
      for (let next = await feed.next(); !next.done; next = await feed.next()) {
        if (next.value.type === 'metadata' && next.value.kind === 'turn_ended') return;
      }
    };
    await turn(WARM_UP);
    return measureCpu(
      () => count,
      () => turn(setup.deltas),
    );
  });
}

async function sdk({ deltas, workingDir }: RoleSetup) {
  let prompt: (count: number) => void = () => undefined;
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const count = await new Promise<number>((resolve) => {
        prompt = resolve;
      });
      yield JSON.parse(userLine(count)) as SDKUserMessage;
    }
  }
  const messages = query({
    prompt: prompts(),
    options: {
      cwd: workingDir,
      includePartialMessages: true,
      pathToClaudeCodeExecutable: discoverProgram(),
      env: process.env,
    },
  });
  let count = 0;
  const turn = async (words: number): Promise<void> => {
    await new Promise(setImmediate);
    prompt(words);
    for (;;) {
      const { value, done } = await messages.next();
      count += 1;
      if (done || value.type === 'result') return;
    }
  };
  // The SDK asks for the first prompt on the first read.
  const first = turn(WARM_UP);
  setTimeout(() => prompt(WARM_UP), 500);
  await first;
  const measured = await measureCpu(
    () => count,
    () => turn(deltas),
  );
  await messages.return();
  return measured;
}

/** How long a line takes from writer to reader, in microseconds. */
async function bareLatency({ deltas, workingDir, program }: RoleSetup) {
  const child = spawnBare(workingDir, program);
  const latencies: number[] = [];
  const ended = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const now = process.hrtime.bigint();
      for (const line of chunk.toString('latin1').split('\n')) {
        if (line.includes('"result"')) resolve();
        const sent = sentAt(line);
        if (sent !== undefined) latencies.push(Number(now - sent) / 1_000);
      }
    });
  });
  child.stdin.write(userLine(deltas));
  await ended;
  child.kill('SIGKILL');
  return { latencies };
}

async function ourLatency(setup: RoleSetup) {
  return withSession(setup, async (session) => {
    const latencies: number[] = [];
    const ended = new Promise<void>((resolve) => {
      session.onFrame((frame) => {
        const now = process.hrtime.bigint();
        const sent = sentAt(frame.bytes.toString('latin1'));
        if (sent !== undefined) latencies.push(Number(now - sent) / 1_000);
        if (frame.type === 'result') resolve();
      });
    });
    await session.sendInput(`Say ${setup.deltas} words`);
    await ended;
    return { latencies };
  });
}

async function bareFirstToken({ workingDir, program }: RoleSetup) {
  const start = performance.now();
  const child = spawnBare(workingDir, program);
  const cold = (await bareAnswer(child)) - start;
  const again = performance.now();
  const warm = (await bareAnswer(child)) - again;
  child.kill('SIGKILL');
  return { cold, warm };
}

/** Resolves after the turn, with the time of its first text delta. */
function bareAnswer(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve) => {
    let first = 0;
    const listen = (chunk: Buffer): void => {
      if (first === 0 && chunk.includes('"text_delta"')) first = performance.now();
      if (!chunk.includes('"total_cost_usd"')) return;
      child.stdout.off('data', listen);
      resolve(first);
    };
    child.stdout.on('data', listen);
    child.stdin.write(userLine(3));
  });
}

async function ourFirstToken({ workingDir }: RoleSetup) {
  const provider = createProvider({ environment: process.env });
  const start = performance.now();
  const session = provider.createSession({ workingDir, environment });
  const answer = ourAnswer(session);
  const started = session.start();
  void session.sendInput('Say 3 words');
  await started;
  const cold = (await answer) - start;
  const again = performance.now();
  const second = ourAnswer(session);
  await session.sendInput('Say 3 words');
  const warm = (await second) - again;
  await provider.close();
  return { cold, warm };
}

async function poolFirstToken({ workingDir }: RoleSetup) {
  const provider = createProvider({ environment: process.env });
  const pool = provider.createPool({ workingDir, environment }, { size: 1 });
  await pool.filled();
  const start = performance.now();
  const session = await pool.take();
  const answer = ourAnswer(session);
  await session.sendInput('Say 3 words');
  const pooled = (await answer) - start;
  const again = performance.now();
  const next = ourAnswer(session);
  await session.sendInput('Say 3 words');
  const second = (await next) - again;
  await provider.close();
  return { pooled, second };
}

function ourAnswer(session: Session): Promise<number> {
  return new Promise((resolve) => {
    let first = 0;
    const off = session.onFrame((frame) => {
      if (first === 0 && frame.bytes.includes('"text_delta"')) first = performance.now();
      if (frame.type !== 'result') return;
      off();
      resolve(first);
    });
  });
}

async function withSession<T>(setup: RoleSetup, work: (session: Session) => Promise<T>): Promise<T> {
  const { program, workingDir } = setup;
  const provider = createProvider({
    environment: process.env,
    ...(program === undefined ? {} : { program }),
  });
  try {
    const session = provider.createSession({ workingDir, environment });
    await session.start();
    return await work(session);
  } finally {
    await provider.close();
  }
}

async function measureCpu(count: () => number, work: () => Promise<void>) {
  const countBefore = count();
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const used = process.cpuUsage(before);
  const frames = count() - countBefore;
  return {
    cpuUs: (used.user + used.system) / frames,
    frames,
    framesPerSecond: frames / ((performance.now() - start) / 1_000),
  };
}
