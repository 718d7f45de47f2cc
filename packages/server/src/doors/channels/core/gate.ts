// Who may speak to the bot: a list of numeric ids. An empty list lets nobody in; "*" opens the door knowingly.
import type { Sender, SettingPlaces } from './channel.ts';

export interface Gate {
  lets(sender: Sender): boolean;
  /** What the person who runs the server should know about the list, for the log at the start. */
  readonly remark: string | undefined;
}

export function createGate(
  allowFrom: readonly string[],
  where: { readonly label: string; readonly places: SettingPlaces },
): Gate {
  const ids = new Set(allowFrom);
  const isOpen = ids.has('*');
  return {
    // Bots answer bots without end, so one is let in by its id alone.
    lets: ({ id, isBot }) => ids.has(id) || (isOpen && !isBot),
    remark: remarkOn(ids, isOpen, where),
  };
}

function remarkOn(
  ids: ReadonlySet<string>,
  isOpen: boolean,
  { label, places }: Parameters<typeof createGate>[1],
): string | undefined {
  if (isOpen) {
    return `${label} is open to everybody who finds the bot (${places.allowFrom} has "*"). They can do whatever the program may do on this machine.`;
  }
  if (ids.size > 0) return undefined;
  return (
    `Nobody may use ${label} yet. To find your id, write a message to the bot: the log then names it in a line ` +
    `about a refused sender. Put it into ${places.allowFrom}, and start Parley again.`
  );
}
