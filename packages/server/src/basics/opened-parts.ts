// Closes what was opened, in reverse order.

interface Part {
  close(): Promise<void>;
}

export function openedParts() {
  const parts: Part[] = [];

  function opened<T extends Part>(part: T): T {
    parts.unshift(part);
    return part;
  }

  /** Closes the rest even if a part fails, and then rejects with the first error. */
  async function close(): Promise<void> {
    const errors: unknown[] = [];
    for (const part of parts.splice(0)) {
      try {
        await part.close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  return { opened, close };
}
