// Copies the beginning of a transcript, up to one prompt, under the id of a new session, which the program resumes from
// there. The original stays as it is.
import { rm } from 'node:fs/promises';
import { parseFrame, topLevelType } from '@parley/claude-cli';
import { ParleyError, type TurnId } from '@parley/protocol';
import type { BranchStart, EngineBranch } from '../../../domain/engine.ts';
import { isPrompt } from '../../../domain/past-prompt.ts';
import { pastTranscript } from '../process/past-transcript.ts';
import { forkedSettings, readSettings } from '../process/settings.ts';
import { toPastEntries } from '../translation/frame-event.ts';
import { forkTranscript } from './fork-transcript.ts';

export async function branchTranscript(
  { from, to, before, isTurn }: EngineBranch,
  projects: string,
): Promise<BranchStart> {
  const { workingDir } = readSettings(from.settings);
  const settings = { ...forkedSettings(from.settings), mode: 'ui' as const, workingDir };
  const beginning = new Beginning(before);
  const past = await pastTranscript(projects, workingDir, from.id);
  if (past) {
    const copy = await forkTranscript(past.file, from.id, to, (line) => beginning.add(line));
    const { isFound, prompts } = beginning;
    // There is nothing to resume before the first prompt.
    if ((!isFound && !isTurn) || prompts.length === 0) await rm(copy);
  }
  // A prompt that the program could not take has no line in the transcript.
  if (!beginning.isFound && !isTurn)
    throw new ParleyError('not_found', 'There is no such message in this session.');
  return { shared: beginning.prompts, settings };
}

class Beginning {
  readonly prompts: TurnId[] = [];
  isFound = false;
  readonly #end: TurnId;
  #held: Buffer[] = [];

  constructor(end: TurnId) {
    this.#end = end;
  }

  /** Returns the lines that can be copied now. */
  add(line: Buffer): readonly Buffer[] {
    if (this.isFound) return [];
    const type = topLevelType(line);
    const frame = type === 'user' ? parseFrame(line) : undefined;
    if (frame?.uuid === this.#end) {
      this.isFound = true;
      return [];
    }
    if (frame?.uuid && toPastEntries([frame]).some(isPrompt)) this.prompts.push(frame.uuid);
    this.#held.push(Buffer.from(line));
    // Held back: the program writes this line right before the prompt that it is about.
    if (type === 'queue-operation') return [];
    const lines = this.#held;
    this.#held = [];
    return lines;
  }
}
