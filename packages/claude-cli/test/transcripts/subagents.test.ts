// From a tool call to the transcript of the subagent that it started.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSubagent } from '../../src/transcripts/subagents.ts';

const session = '4f2b8f6e-5a1d-4f57-9f0b-0f5f6f1c2d3e';
let project: string;
let transcript: string;
let folder: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'claude-subagents-'));
  transcript = join(project, `${session}.jsonl`);
  folder = join(project, session, 'subagents');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function keep(id: string, note: string): void {
  writeFileSync(join(folder, `agent-${id}.jsonl`), '');
  writeFileSync(join(folder, `agent-${id}.meta.json`), note);
}

describe('the transcript of a subagent', () => {
  it('is found by the call that started it', async () => {
    keep('a1', JSON.stringify({ agentType: 'Explore', toolUseId: 'toolu_1' }));
    keep('a2', JSON.stringify({ agentType: 'Plan', toolUseId: 'toolu_2' }));
    expect(await findSubagent(transcript, 'toolu_2')).toBe(join(folder, 'agent-a2.jsonl'));
  });

  it('is undefined if the call started none, or the session has no folder', async () => {
    keep('a1', JSON.stringify({ toolUseId: 'toolu_1' }));
    expect(await findSubagent(transcript, 'toolu_3')).toBeUndefined();
    rmSync(folder, { recursive: true });
    expect(await findSubagent(transcript, 'toolu_1')).toBeUndefined();
  });

  it('is found even if other notes are half written', async () => {
    keep('a1', '{"toolUseId":');
    keep('a2', 'null');
    keep('a3', JSON.stringify({ toolUseId: 'toolu_3' }));
    expect(await findSubagent(transcript, 'toolu_3')).toBe(join(folder, 'agent-a3.jsonl'));
  });

  it('is not found by a note that is far larger than those of the program', async () => {
    keep('a1', JSON.stringify({ padding: 'x'.repeat(500_000), toolUseId: 'toolu_1' }));
    expect(await findSubagent(transcript, 'toolu_1')).toBeUndefined();
  });

  it('is not searched further after an abort', async () => {
    keep('a1', JSON.stringify({ toolUseId: 'toolu_1' }));
    await expect(findSubagent(transcript, 'toolu_1', AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
