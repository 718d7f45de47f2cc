// Terminal mode: one screen per session, opened by the first viewer. While it is open the session belongs to it, so that
// the program never runs twice on one transcript.
import { ParleyError, type PersonName, type Session, type SessionId, say } from '@parley/protocol';
import type { TerminalLink, Terminals, TerminalViewer } from '../../../domain/terminal.ts';
import type { Screen } from './screen.ts';
import type { TerminalsOptions } from './terminals-options.ts';

export interface RunningTerminals extends Terminals {
  close(): Promise<void>;
}

export function createTerminals(options: TerminalsOptions): RunningTerminals {
  const screens = new Map<SessionId, Promise<Screen>>();

  const allows = (person: PersonName) => options.people.includes(person);

  async function requireSession(person: PersonName, id: SessionId): Promise<Session> {
    const session = await options.gateway.getSession(person, id);
    // Nobody can type into a session that is only shared with them.
    if (session.engine !== 'claude-code' || session.person !== person)
      throw new ParleyError('not_found', 'There is no such session.');
    if (allows(person)) return session;
    throw new ParleyError(
      'forbidden',
      'You may not use the terminal. claude.terminalPeople in parley.config.json says who may.',
    );
  }

  function screenOf(session: Session): Promise<Screen> {
    const known = screens.get(session.id);
    if (known) return known;
    const opening = open(session);
    screens.set(session.id, opening);
    opening.catch(() => forget(session.id, opening));
    return opening;
  }

  /** The session is handed over before the program starts, and handed back when it has ended. */
  async function open(session: Session): Promise<Screen> {
    // Includes a turn whose program is still starting, which the engine does not see.
    const { running } = await options.gateway.state(session.person, session.id);
    if (running !== undefined) throw turnRuns();
    const leave = await options.engine.occupy(session, {
      // Waits for a screen that is still opening, because it must not outlive the session.
      end: async (reason) => (await screens.get(session.id)?.catch(() => undefined))?.end(reason),
    });
    try {
      const { openScreen } = await import('./open-screen.ts');
      return await openScreen(session, { ...options, onEnd: leave });
    } catch (error) {
      leave();
      throw error;
    }
  }

  function forget(id: SessionId, opening: Promise<Screen>): void {
    if (screens.get(id) === opening) screens.delete(id);
  }

  return {
    allows,

    async attach(person, id, viewer: TerminalViewer): Promise<TerminalLink> {
      const session = await requireSession(person, id);
      const opening = screenOf(session);
      const screen = await opening;
      void screen.ended.then(() => forget(id, opening));
      return screen.attach(viewer);
    },

    async end(person, id) {
      await requireSession(person, id);
      const screen = await screens.get(id)?.catch(() => undefined);
      await screen?.end(say`The terminal was closed.`);
      return screen !== undefined;
    },

    async close() {
      const open = await Promise.allSettled(screens.values());
      await Promise.all(
        open.flatMap((one) =>
          one.status === 'fulfilled' ? [one.value.end(say`The server is stopping.`)] : [],
        ),
      );
    },
  };
}

function turnRuns(): ParleyError {
  return new ParleyError('conflict', 'A turn is running in this session. Wait until it ends, or stop it.');
}
