import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getSessionInfo, listSessions } from '@anthropic-ai/claude-agent-sdk';
import { reply } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  findTranscript,
  isCommandEcho,
  projectsRoot,
  promptOf,
  readTranscriptPage,
  renameSession,
  type SessionConfig,
  SessionIndex,
  searchTranscripts,
  transcriptPath,
} from '../../src/index.ts';
import { EventLog } from '../support/reading.ts';
import { openRealProgram } from '../support/real-program.ts';

const PATIENCE = { timeout: 120_000 };

/** What the SDK says about the same sessions. It only reads the folder from the environment. */
async function withSdk<T>(root: string, ask: () => Promise<T>): Promise<T> {
  const before = process.env['CLAUDE_CONFIG_DIR'];
  process.env['CLAUDE_CONFIG_DIR'] = join(root, '..');
  try {
    return await ask();
  } finally {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = before;
  }
}

async function realProgram(folder = 'my.project_1') {
  const real = await openRealProgram();
  onTestFinished(() => real.close());
  const cwd = join(real.workingDir, folder);
  await mkdir(cwd, { recursive: true });

  /** Sends the prompts one after the other and waits for the program to end. */
  async function run(prompts: readonly string[], custom: SessionConfig['custom'] = {}) {
    const session = real.createSession({ workingDir: cwd, custom });
    const log = new EventLog(session);
    await session.start();
    for (const [index, prompt] of prompts.entries()) {
      if (!prompt.startsWith('/')) real.standIn.enqueue(reply('Hello!'));
      await session.sendInput(prompt);
      await log.turn(index + 1);
    }
    const { sessionId } = session.status();
    await session.stop();
    await log.done;
    return { sessionId, warnings: log.metadata('warning'), turns: log.turns };
  }

  return { root: projectsRoot(real.home), cwd, run };
}

function indexOver(root: string): SessionIndex {
  const index = new SessionIndex({ root });
  onTestFinished(() => index.close());
  return index;
}

describe('transcripts of the real program', () => {
  it('are found, paged, listed, searched and renamed', PATIENCE, async () => {
    const program = await realProgram();
    const run = await program.run(['Hello, größe 🙂', '/rename A title of mine', 'And a second prompt']);
    expect(run.warnings).toEqual([]);
    expect(run.turns).toHaveLength(3);

    const file = transcriptPath(program.root, program.cwd, run.sessionId);
    expect(await findTranscript(program.root, run.sessionId)).toBe(file);

    const page = await readTranscriptPage(file);
    const prompts = page.messages.flatMap(({ frame }) => promptOf(frame) ?? []);
    expect(prompts).toEqual(['Hello, größe 🙂', 'And a second prompt']);
    expect(page.messages.some(({ frame }) => isCommandEcho(frame))).toBe(true);
    const onDisk = (await readFile(file, 'utf8')).split('\n');
    expect(page.messages.every(({ frame }) => onDisk.includes(frame.text))).toBe(true);
    expect(Object.values(page.damage)).toEqual([0, 0, 0, 0, 0]);

    const index = indexOver(program.root);
    const [entry] = (await index.list()).sessions;
    expect(entry).toMatchObject({
      sessionId: run.sessionId,
      cwd: program.cwd,
      title: 'A title of mine',
      titleSource: 'custom',
      firstPrompt: 'Hello, größe 🙂',
      lastPrompt: 'And a second prompt',
    });
    expect(entry?.costUsd).toBeGreaterThan(0);

    const hits = [];
    for await (const hit of searchTranscripts(await index.files(), 'GRÖßE 🙂')) hits.push(hit);
    expect(hits).toMatchObject([{ file, role: 'user', excerpt: 'Hello, größe 🙂' }]);

    await index.rename(run.sessionId, 'Renamed by us');
    const info = await withSdk(program.root, () => getSessionInfo(run.sessionId));
    expect(info).toMatchObject({ customTitle: 'Renamed by us', cwd: program.cwd });
  });

  it('keep a title that we set when the program continues the session', PATIENCE, async () => {
    const program = await realProgram();
    const first = await program.run(['First prompt']);
    const file = transcriptPath(program.root, program.cwd, first.sessionId);
    await renameSession(file, 'Ours to keep');
    const index = indexOver(program.root);
    const before = await readTranscriptPage(file);
    const second = await program.run(['Second prompt'], { resume: first.sessionId });
    expect(second.sessionId).toBe(first.sessionId);

    await index.refresh();
    expect((await index.list()).sessions).toMatchObject([
      { title: 'Ours to keep', lastPrompt: 'Second prompt' },
    ]);
    const news = await readTranscriptPage(file, { after: before.after });
    expect(news.messages.flatMap(({ frame }) => promptOf(frame) ?? [])).toEqual(['Second prompt']);
    const listed = await withSdk(program.root, () => listSessions());
    expect(listed.map((session) => session.summary)).toEqual(['Ours to keep']);
  });

  it('share their first message when forked, and are then listed once', PATIENCE, async () => {
    const program = await realProgram();
    const original = await program.run(['Where it began']);
    const fork = await program.run(['Another way'], { resume: original.sessionId, fork_session: true });
    expect(fork.sessionId).not.toBe(original.sessionId);
    const index = indexOver(program.root);
    expect((await index.list()).sessions.map((entry) => entry.sessionId)).toEqual([fork.sessionId]);
    const all = (await index.list({ includeRelated: true })).sessions.map((entry) => entry.sessionId);
    expect(all).toEqual([fork.sessionId, original.sessionId]);
  });

  it('are where we expect them even if the path of the project is very long', PATIENCE, async () => {
    const program = await realProgram(join('x'.repeat(120), 'é'.repeat(100)));
    const { sessionId } = await program.run(['Hello']);
    const page = await readTranscriptPage(transcriptPath(program.root, program.cwd, sessionId));
    expect(page.messages.length).toBeGreaterThan(0);
  });
});
