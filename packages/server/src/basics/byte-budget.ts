// Limits how many bytes wait in memory, for each owner and for all together.

export interface ByteLimits {
  readonly each: number;
  readonly all: number;
}

/** The share of one owner, or of one thing that belongs to them. */
export interface ByteAccount {
  /** False if that is too much; nothing is taken then. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #owners = new Map<string, number>();
  #all = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** How many bytes wait at the moment. */
  get taken(): number {
    return this.#all;
  }

  of(owner: string): ByteAccount {
    return {
      take: (bytes) => this.#take(owner, bytes),
      release: (bytes) => this.#release(owner, bytes),
    };
  }

  #take(owner: string, bytes: number): boolean {
    const own = (this.#owners.get(owner) ?? 0) + bytes;
    if (own > this.#limits.each || this.#all + bytes > this.#limits.all) return false;
    this.#owners.set(owner, own);
    this.#all += bytes;
    return true;
  }

  #release(owner: string, bytes: number): void {
    const left = (this.#owners.get(owner) ?? 0) - bytes;
    if (left > 0) this.#owners.set(owner, left);
    else this.#owners.delete(owner);
    this.#all -= bytes;
  }
}
