// The port for encrypted logins of other services.
/** Where encrypted logins are stored, and the key that encrypts them. */
export interface SealedStore {
  /** Undefined if there is none. */
  read(name: string): Promise<Buffer | undefined>;
  write(name: string, bytes: Buffer): Promise<void>;
  remove(name: string): Promise<void>;
  key(): Promise<Buffer>;
}
