// Who may use a bot: a list of numeric ids. An empty list lets nobody in; `*` lets everybody in.
import type { Sender, SettingPlaces } from './bot.ts';

export interface AllowList {
  allows(sender: Sender): boolean;
  /** A warning about the list for whoever runs the server, logged at startup. */
  readonly warning: string | undefined;
}

export function createAllowList(allowFrom: readonly string[], bot: string, places: SettingPlaces): AllowList {
  const ids = new Set(allowFrom);
  const isOpen = ids.has('*');
  const openWarning = `Anyone who finds ${bot} can use it (${places.allowFrom} contains "*"), and can do whatever the program may do on this machine.`;
  const emptyWarning = `Nobody may use ${bot} yet. To find your id, send the bot a message: the log then shows the id of the sender it refused. Add the id to ${places.allowFrom} and restart Parley.`;
  return {
    // Two bots would answer each other forever, so `*` does not let bots in.
    allows: ({ id, isBot }) => ids.has(id) || (isOpen && !isBot),
    warning: isOpen ? openWarning : ids.size === 0 ? emptyWarning : undefined,
  };
}
