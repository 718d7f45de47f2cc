// The bounds of the vault tools, each with its default.
export interface VaultLimits {
  /** Of one read; the rest is read with an offset. */
  readonly readBytes: number;
  readonly writeBytes: number;
  readonly listEntries: number;
  readonly searchMatches: number;
  readonly searchBytes: number;
  readonly searchMs: number;
}

export const vaultLimits: VaultLimits = {
  readBytes: 256 * 1024,
  writeBytes: 4 * 1024 * 1024,
  listEntries: 1_000,
  searchMatches: 200,
  searchBytes: 64 * 1024,
  searchMs: 10_000,
};
