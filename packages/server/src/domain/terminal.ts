// The port of terminal mode: the program's own screen, shared by all who watch it.
import type { PersonName, SessionId } from '@parley/protocol';

export interface TerminalViewer {
  /** Bytes of the screen; a viewer that returns false is not ready for more and is cut off when it stays so. */
  data(chunk: Uint8Array): boolean;
  ended(reason: string): void;
}

export interface TerminalLink {
  /** What was on the screen before, bounded; enough to draw it. */
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
   * Opens the session's terminal or joins it. `not_found` for a foreign session, `forbidden` where the person may
   * not, `conflict` while a turn runs in the session.
   */
  attach(person: PersonName, id: SessionId, viewer: TerminalViewer): Promise<TerminalLink>;
  /** Ends the program's screen, so that the session can go on elsewhere. False when none is open. */
  end(person: PersonName, id: SessionId): Promise<boolean>;
}
