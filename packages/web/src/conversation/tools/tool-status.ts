// The status of a tool call, as people see it.
import type { SettledPermission, ToolState } from '@parley/client';
import { use } from 'react';
import { ToolFactsContext } from '../context.ts';

/** `stopped`: the person stopped the turn. `unfinished`: its turn is over and there is no result. */
export type ToolStatus = 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'stopped' | 'unfinished';

export function useToolStatus(id: string): ToolStatus {
  const { tools, settled, asked, isRunning } = use(ToolFactsContext);
  const state = tools.get(id);
  switch (state?.outcome) {
    case 'finished':
      return 'done';
    case 'failed':
      return endOfFailed(state, settled.get(id));
    default:
      if (asked.has(id)) return 'waiting';
      return isRunning ? 'running' : 'unfinished';
  }
}

/** A call that somebody denied or stopped hasn't failed, even if its result tells the model so. */
function endOfFailed({ denied, stopped }: ToolState, decision: SettledPermission | undefined): ToolStatus {
  if (decision?.reason === 'decided' && decision.behavior === 'deny') return 'denied';
  if (stopped || decision?.behavior === 'deny') return 'stopped';
  return denied ? 'denied' : 'failed';
}
