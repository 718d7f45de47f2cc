// What a session changed in its working directory, for pages. Paths are relative to that directory.
import { z } from 'zod';

/** What the files are compared with: how they were when the last turn or the session began, or the last commit. */
export const ChangesSince = z.enum(['turn', 'session', 'head']);
export type ChangesSince = z.infer<typeof ChangesSince>;

export const ChangedFile = z.object({
  path: z.string(),
  /** Where it was before, if it was renamed. */
  from: z.string().optional(),
  kind: z.enum(['added', 'modified', 'deleted', 'renamed']),
  /** Lines; absent if the file is not text, or there are too many files to count. */
  added: z.int().optional(),
  removed: z.int().optional(),
  /** Whether the next commit includes this change. */
  staged: z.enum(['no', 'yes', 'partly']),
  /** A merge left it with conflicts. */
  conflict: z.boolean().optional(),
  /** Its name is not UTF-8, so it can't be opened or changed here. */
  unreadable: z.boolean().optional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const ChangeList = z.object({
  since: ChangesSince,
  /** `no-repository`: the folder is not in a git repository. `no-snapshot`: nobody recorded how the files were. */
  state: z.enum(['ok', 'no-repository', 'no-snapshot']),
  /** Null if no branch is checked out. */
  branch: z.string().nullable(),
  /** What git is in the middle of. */
  unfinished: z.enum(['merge', 'rebase', 'cherry-pick', 'revert']).nullable(),
  /** The two states that were compared, for requests about single files. */
  base: z.string(),
  now: z.string(),
  files: z.array(ChangedFile),
  total: z.int(),
  /** Files and whole folders that git ignores, for `head`; only the first ones if there are very many. */
  ignored: z.array(z.string()).optional(),
  /** How many large files were left out. */
  skipped: z.int(),
});
export type ChangeList = z.infer<typeof ChangeList>;

export const DiffHunk = z.object({
  oldStart: z.int(),
  newStart: z.int(),
  /** Each starts with a space, a plus or a minus. */
  lines: z.array(z.string()),
});
export type DiffHunk = z.infer<typeof DiffHunk>;

export const FileDiff = z.object({
  path: z.string(),
  binary: z.boolean(),
  hunks: z.array(DiffHunk),
  /** There are more lines than these. */
  truncated: z.boolean(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** How many commits only one side has, as of the last pull or push; null before the first. */
export const BranchRemote = z.object({
  name: z.string(),
  url: z.string(),
  ahead: z.int().nullable(),
  behind: z.int().nullable(),
});
export type BranchRemote = z.infer<typeof BranchRemote>;

export const BranchList = z.object({
  /** Null if no branch is checked out. */
  current: z.string().nullable(),
  /** Newest first. */
  branches: z.array(z.string()),
  remote: BranchRemote.nullable(),
  /** The folder of the repository, if this is one of its other working trees. */
  worktreeOf: z.string().nullable(),
});
export type BranchList = z.infer<typeof BranchList>;

/** What rewinding the files of a session does, or did. */
export const Rewind = z.object({
  /** False if the program has no record of the files from then. */
  possible: z.boolean(),
  /** Whole paths. */
  files: z.array(z.string()),
});
export type Rewind = z.infer<typeof Rewind>;
