// The port for password hashes.

/** Both calls reject with `busy` when too many passwords are being checked already. */
export interface PasswordHashes {
  hash(password: string): Promise<string>;
  matches(hash: string, password: string): Promise<boolean>;
}

/** In characters. */
export const longestPassword = 1_024;
