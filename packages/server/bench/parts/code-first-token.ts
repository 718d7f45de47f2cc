// The time from a prompt in a Claude Code session to the first word of its answer, with the real program and a stand-in
// for the model.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { noFallback, reply, say, startAnthropicStandIn } from '@parley/stand-ins';
import { type Figure, percentile } from '../../../../bench/report.ts';
import { type BareProgram, startBareProgram } from './bare-program.ts';
import { deleteSession, firstWord, newSession, openPage, type Page } from './code-pages.ts';
import { residentKb, startServer } from './processes.ts';

/** The pause before each sample. */
const quietMs = 200;

export async function firstTokenFigures(
  folder: string,
  workingDir: string,
  rounds: number,
): Promise<Figure[]> {
  await using standIn = await startAnthropicStandIn({ fallback: noFallback });
  standIn.script(() => true).always(reply(say('first ', 'and more')));
  const home = join(folder, 'bare-home');
  mkdirSync(home);
  const startBare = () =>
    startBareProgram(workingDir, {
      HOME: home,
      PATH: '/usr/bin:/bin',
      ANTHROPIC_BASE_URL: standIn.url,
      ANTHROPIC_API_KEY: 'bench',
    });
  const cold = await coldFigures(standIn.url, workingDir, startBare, rounds);
  const bare = startBare();
  const server = await startServer(standIn.url, {
    config: { workRoots: [workingDir], claude: { warmProcesses: 1 } },
  });
  const page = await openPage(server.url, await newSession(server.url, workingDir));
  await bare.firstToken('first');
  await turn(page);
  const samples = { bare: [] as number[], live: [] as number[], fresh: [] as number[] };
  for (let round = 0; round < 2 * rounds; round += 1) {
    await inTurns(round, [
      async () => samples.bare.push(await bare.firstToken('first')),
      async () => samples.live.push(await turn(page)),
    ]);
  }
  for (let round = 0; round < Math.min(rounds, 5); round += 1) {
    // The pool needs time to fill again.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    samples.fresh.push(await firstPrompt(server.url, workingDir));
  }
  const idleMb = residentKb(server.pid) / 1_024;
  page.close();
  await bare.close();
  await server.close();
  const middle = (times: readonly number[]) => percentile(times, 0.5);
  return [
    {
      what: 'first token, live session',
      value: middle(samples.live),
      unit: 'ms',
      comparison: `bare warm program: ${middle(samples.bare).toFixed(0)} ms`,
    },
    {
      what: 'live session / bare warm',
      value: middle(samples.live) / middle(samples.bare),
      unit: '×',
      goal: { atMost: 1.2 },
    },
    {
      what: 'first token, new session from the pool',
      value: middle(samples.fresh),
      unit: 'ms',
      goal: { atMost: 120 },
    },
    ...cold,
    { what: 'RSS of the server afterwards', value: idleMb, unit: 'MB' },
  ];
}

/** Rotates the order, so that what one sample leaves behind doesn't always slow down the same next one. */
async function inTurns(round: number, samples: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const [at] of samples.entries()) {
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    await samples[(round + at) % samples.length]?.();
  }
}

/** A new session without a waiting process, with and without the sandbox, and the bare program. */
async function coldFigures(
  anthropicUrl: string,
  workingDir: string,
  startBare: () => BareProgram,
  rounds: number,
): Promise<Figure[]> {
  const start = (sandbox: 'auto' | 'off') =>
    startServer(anthropicUrl, {
      config: { workRoots: [workingDir], sandbox, claude: { warmProcesses: 0 } },
    });
  const servers = { open: await start('off'), confined: await start('auto') };
  const samples = { bare: [] as number[], open: [] as number[], confined: [] as number[] };
  const bareStart = async () => {
    const begin = performance.now();
    const program = startBare();
    const ms = performance.now() - begin + (await program.firstToken('first'));
    await program.close();
    return ms;
  };
  // The first round fills the machine's caches, and doesn't count.
  for (let round = -1; round < 2 * rounds; round += 1) {
    if (round === 0) for (const times of Object.values(samples)) times.splice(0);
    await inTurns(round + 1, [
      async () => samples.bare.push(await bareStart()),
      async () => samples.open.push(await firstPrompt(servers.open.url, workingDir)),
      async () => samples.confined.push(await firstPrompt(servers.confined.url, workingDir)),
    ]);
  }
  await Promise.all([servers.open.close(), servers.confined.close()]);
  const middle = (route: keyof typeof samples) => percentile(samples[route], 0.5);
  return [
    {
      what: 'first token, new session without the pool',
      value: middle('open'),
      unit: 'ms',
      comparison: `bare program from its start: ${middle('bare').toFixed(0)} ms`,
    },
    {
      what: 'added to the bare program',
      value: middle('open') - middle('bare'),
      unit: 'ms',
      goal: { atMost: 30 },
    },
    {
      what: 'added to that by the sandbox, if there is one',
      value: middle('confined') - middle('open'),
      unit: 'ms',
      goal: { atMost: 30 },
    },
  ];
}

/** Milliseconds to the first word; resolves when the turn is over. */
function turn(page: Page): Promise<number> {
  page.prompt('go');
  return firstWord(page);
}

/** Milliseconds from creating a session to the first word of its first answer. Resolves when its process has ended. */
async function firstPrompt(url: string, workingDir: string): Promise<number> {
  const start = performance.now();
  const id = await newSession(url, workingDir);
  const page = await openPage(url, id);
  const opened = performance.now() - start;
  const first = await turn(page);
  page.close();
  await deleteSession(url, id);
  return opened + first;
}
