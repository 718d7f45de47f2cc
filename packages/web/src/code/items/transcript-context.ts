// The transcript for whatever is drawn from it: a tool call looks up its result and its subagent here.
import { createContext, useContext } from 'react';
import type { Settled } from '../model/session-view.ts';
import { emptyTranscript, type Transcript } from '../model/transcript.ts';

export const TranscriptContext = createContext<Transcript>(emptyTranscript);
export const SettledContext = createContext<ReadonlyMap<string, Settled>>(new Map());
/** A turn runs: a call without a result is at work. */
export const RunningContext = createContext(false);

export function useTranscript(): Transcript {
  return useContext(TranscriptContext);
}
