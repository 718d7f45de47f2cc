// Keeps the last bytes of a stream, so that an error can say what the program complained about.

export class ByteTail {
  readonly #capacity: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    // Joining only at twice the capacity keeps the cost of many small chunks linear.
    if (this.#size > this.#capacity * 2) this.#trim();
  }

  get text(): string {
    this.#trim();
    return (this.#parts[0] ?? Buffer.alloc(0)).toString('utf8').trim();
  }

  #trim(): void {
    const joined = Buffer.concat(this.#parts);
    const kept =
      joined.length > this.#capacity ? Buffer.from(joined.subarray(joined.length - this.#capacity)) : joined;
    this.#parts = [kept];
    this.#size = kept.length;
  }
}
