// Runs the real program against the Anthropic stand-in, for real transcripts.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnthropicStandIn, startAnthropicStandIn } from '@parley/stand-ins';
import { onTestFinished } from 'vitest';
import { discoverProgram, FrameReader, projectsRoot } from '../../src/index.ts';
import { temporaryFolder } from './sample-lines.ts';

interface Run {
  readonly sessionId: string;
  /** What the program wrote, line by line. */
  readonly lines: readonly string[];
  readonly kinds: readonly string[];
  readonly invalid: number;
}

export interface RealProgram {
  readonly standIn: AnthropicStandIn;
  readonly root: string;
  readonly cwd: string;
  /** Sends the prompts one after the other and waits for the program to end. */
  run(prompts: readonly string[], ...flags: string[]): Promise<Run>;
}

export async function realProgram(cwdName = 'my.project_1'): Promise<RealProgram> {
  const standIn = await startAnthropicStandIn();
  onTestFinished(() => standIn.close());
  const home = await temporaryFolder();
  const cwd = join(home, cwdName);
  await mkdir(cwd, { recursive: true });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: 'word',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    IS_SANDBOX: '1',
  };
  return {
    standIn,
    root: projectsRoot(home),
    cwd,
    run: (prompts, ...flags) => run(prompts, flags, cwd, env),
  };
}

const basicFlags = ['-p', '--verbose', '--output-format', 'stream-json', '--input-format', 'stream-json'];

function run(
  prompts: readonly string[],
  flags: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Run> {
  const child = spawn(discoverProgram(), [...basicFlags, ...flags], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = [...prompts];
  const lines: string[] = [];
  const kinds: string[] = [];
  let sessionId = '';
  const sendNext = (): void => {
    const prompt = waiting.shift();
    if (prompt === undefined) child.stdin.end();
    else
      child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`);
  };
  const reader = new FrameReader({
    onFrame: (frame) => {
      lines.push(frame.text);
      kinds.push(frame.kind);
      sessionId = frame.sessionId ?? sessionId;
      if (frame.kind === 'result') sendNext();
    },
  });
  child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
  sendNext();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      reader.end();
      resolve({ sessionId, lines, kinds, invalid: reader.counts.invalid });
    });
  });
}
