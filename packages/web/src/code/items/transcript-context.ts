// The transcript for whatever is drawn from it: a tool call looks up its result and its subagent here.
import { createContext, useContext } from 'react';
import type { Settled } from '../model/session-view.ts';
import { emptyTranscript, type Transcript } from '../model/transcript.ts';

export const TranscriptContext = createContext<Transcript>(emptyTranscript);

/** How calls without a result stand. */
export interface Standing {
  /** A turn runs: such a call is at work. */
  readonly isRunning: boolean;
  /** Calls that wait for somebody's answer, and those that got one. */
  readonly asked: ReadonlySet<string>;
  readonly settled: ReadonlyMap<string, Settled>;
}

export const StandingContext = createContext<Standing>({
  isRunning: false,
  asked: new Set(),
  settled: new Map(),
});

/** Asks for what the subagent of a call said before this page was opened. */
export const LoadSubagent = createContext<(call: string) => void>(() => undefined);

export function useTranscript(): Transcript {
  return useContext(TranscriptContext);
}
