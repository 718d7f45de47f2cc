// Did a message arrive whose answer was never seen? A bot cannot read a chat, but it can ask of any number whether a
// message of its own has it: a change that changes nothing is refused as such. The numbers in question are those
// between the last one known before the try and the one that a probe message gets now.

export interface ProbeSetup {
  readonly after: number;
  /** A message of ours whose arrival is known. */
  readonly isKnown: (messageId: number) => boolean;
  /** Sends something and removes it again, to learn the number it got. */
  readonly highest: () => Promise<number>;
  readonly isOurs: (messageId: number) => Promise<boolean>;
}

/** Numbers that are asked about, the newest first. */
const mostAsked = 100;

/** Undefined when it was not found among so many numbers that not all could be asked about. */
export async function findUnknown({
  after,
  isKnown,
  highest,
  isOurs,
}: ProbeSetup): Promise<boolean | undefined> {
  const top = await highest();
  const bottom = Math.max(after, top - 1 - mostAsked);
  for (let id = top - 1; id > bottom; id -= 1) {
    if (!isKnown(id) && (await isOurs(id))) return true;
  }
  return bottom === after ? false : undefined;
}
