// The port of terminal mode: the program's own screen, shared by all viewers.
import type { PersonName, Sentence, SessionId } from '@parley/protocol';

export interface TerminalViewer {
  /** Bytes of the screen. A viewer that returns false can't take more, and is disconnected if that lasts. */
  data(chunk: Uint8Array): boolean;
  /** Something that the screen does not show, such as a warning about a budget. */
  notify?(message: string): void;
  ended(reason: Sentence): void;
}

export interface TerminalLink {
  /** Earlier output, limited, but enough to draw the screen. */
  readonly backlog: Uint8Array;
  write(data: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Leaves the terminal running. */
  detach(): void;
}

export interface Terminals {
  /** Whether the person may use terminals at all. */
  allows(person: PersonName): boolean;
  /**
   * Opens the session's terminal or joins it. `not_found` for another person's session, `forbidden` when the person may
   * not use terminals, `conflict` while a turn runs in the session.
   */
  attach(person: PersonName, id: SessionId, viewer: TerminalViewer): Promise<TerminalLink>;
  /** Closes the terminal, so that the session can continue elsewhere. False when none is open. */
  end(person: PersonName, id: SessionId): Promise<boolean>;
}
