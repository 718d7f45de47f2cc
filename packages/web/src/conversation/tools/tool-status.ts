// How a tool call is doing, for the person who looks at it.
import { use } from 'react';
import { ToolFactsContext } from '../context.ts';

/** `unfinished`: its turn is over and there is no result. */
export type ToolStatus = 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'unfinished';

export function useToolStatus(id: string): ToolStatus {
  const { tools, settled, asked, isRunning } = use(ToolFactsContext);
  const state = tools.get(id);
  switch (state?.outcome) {
    case 'finished':
      return 'done';
    case 'failed':
      return state.denied || settled.get(id)?.behavior === 'deny' ? 'denied' : 'failed';
    default:
      if (asked.has(id)) return 'waiting';
      return isRunning ? 'running' : 'unfinished';
  }
}
