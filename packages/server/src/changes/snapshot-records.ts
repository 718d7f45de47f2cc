// Records the trees of each session: its folder when the session began, and before each of its last turns. The trees
// are in a git folder of ours for each session, which is deleted with it.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId, TurnId } from '@parley/protocol';
import { z } from 'zod';
import { replaceFile } from '../basics/atomic-file.ts';

const Records = z.object({
  /** The working tree that these are trees of. */
  top: z.string(),
  session: z.string(),
  turns: z.array(z.object({ id: z.string(), tree: z.string() })),
});
export type Records = z.infer<typeof Records>;

const maxTurns = 100;

export class SnapshotRecords {
  readonly #folder: string;

  /** `folder` is for all sessions. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The git folder for a session. */
  gitFolder(session: SessionId): string {
    return join(this.#folder, session, 'git');
  }

  /** The same for another working tree of its repository. */
  otherGitFolder(session: SessionId): string {
    return join(this.#folder, session, 'other');
  }

  async read(session: SessionId, top: string): Promise<Records | undefined> {
    try {
      const records = Records.parse(JSON.parse(await readFile(this.#file(session), 'utf8')));
      return records.top === top ? records : undefined;
    } catch {
      // There is none yet, or it is damaged: the session starts over.
      return undefined;
    }
  }

  async add(session: SessionId, top: string, id: TurnId, tree: string): Promise<void> {
    const before = await this.read(session, top);
    const turns = [...(before?.turns ?? []), { id, tree }].slice(-maxTurns);
    await mkdir(join(this.#folder, session), { recursive: true, mode: 0o700 });
    const records: Records = { top, session: before?.session ?? tree, turns };
    await replaceFile(this.#file(session), JSON.stringify(records));
  }

  async forget(session: SessionId): Promise<void> {
    await rm(join(this.#folder, session), { recursive: true, force: true });
  }

  #file(session: SessionId): string {
    return join(this.#folder, session, 'snapshots.json');
  }
}
