// Working directories of Claude Code: the list of them, their sandboxes, and what they make the program run on its own.
import { z } from 'zod';

/** What keeps the programs of a working directory away from everything else on the machine. The network stays open. */
export const SandboxView = z.object({
  kind: z.enum(['bubblewrap', 'sandbox-exec', 'none']),
  /** Why there is none: it is turned off, not installed, not permitted on this machine, or unknown on this system. */
  reason: z.enum(['off', 'missing', 'forbidden', 'unsupported']).optional(),
  /** Nothing starts there without a sandbox. */
  required: z.boolean(),
});
export type SandboxView = z.infer<typeof SandboxView>;

export const WorkFolderList = z.object({
  /** Null if the roots are listed. */
  path: z.string().nullable(),
  /** The folder above; null at a root. */
  parent: z.string().nullable(),
  /** Of `path`; null if the roots are listed. */
  sandbox: SandboxView.nullable(),
  folders: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      git: z.object({ branch: z.string().nullable(), dirty: z.boolean().nullable() }).nullable(),
      sandbox: SandboxView,
      /** Present in the list of the roots, if there are several machines. */
      machine: z.string().optional(),
    }),
  ),
  /** There are more folders than are listed. */
  truncated: z.boolean(),
});
export type WorkFolderList = z.infer<typeof WorkFolderList>;

/** Something that a folder makes the `claude` program run or apply on its own. */
export const FolderRun = z.object({
  kind: z.enum([
    'hook',
    'mcp',
    'env',
    'helper',
    'permission',
    'plugin',
    'command',
    'skill',
    'agent',
    'workflow',
    'schedule',
    'setting',
    'unreadable',
  ]),
  name: z.string(),
  /** The command, address or value; shortened if it is long. */
  detail: z.string(),
  /** The file that says so. */
  file: z.string(),
});
export type FolderRun = z.infer<typeof FolderRun>;

/** Whether the configuration of a working directory is used, and what it would run. */
export const FolderTrustView = z.object({
  path: z.string(),
  trusted: z.boolean(),
  /** `nothing`: it runs nothing, so nobody has to trust it. `changed`: it was trusted with another configuration. */
  reason: z.enum(['nothing', 'trusted', 'new', 'changed']),
  /** Identifies exactly this configuration; send it back to trust it. */
  digest: z.string(),
  runs: z.array(FolderRun),
  /** How many more there are than `runs` lists. */
  more: z.int().nonnegative(),
  /** Files with instructions for Claude, which are read only in a trusted folder. */
  instructions: z.array(z.string()),
  trustedBy: z.string().optional(),
  trustedAt: z.iso.datetime().optional(),
});
export type FolderTrustView = z.infer<typeof FolderTrustView>;
