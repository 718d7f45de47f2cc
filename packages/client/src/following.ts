// Keeps a conversation in step with the server: opens it, follows its events, and starts over if it lags too far.
import type { Envelope, PastPage, Seq, SessionDetails, SessionId } from '@parley/protocol';
import { Backoff, pause } from './backoff.ts';
import type { WatchedEnvironment } from './environment.ts';
import { foldEntries } from './fold.ts';
import { ApiError } from './http.ts';
import { openedView } from './opening.ts';
import type { Sessions } from './sessions.ts';
import { type FollowOptions, isTemporary, type Transport } from './transport.ts';
import type { ConversationView } from './view.ts';

export interface Follower extends Pick<FollowOptions, 'onEvent' | 'onPresence' | 'onProblem'> {
  /** The last event it has, or undefined if it must be opened first. */
  readonly position: () => Seq | undefined;
  readonly onOpened: (details: SessionDetails, page: PastPage, view: ConversationView) => void;
  readonly onFailed: (error: ApiError) => void;
}

interface FollowingParts {
  readonly sessions: Sessions;
  readonly transport: Transport;
  readonly environment: WatchedEnvironment;
}

export const pageSize = 200;
/** The events so far appear all at once, unless reading them takes longer than this. */
const catchUpMs = 1_000;

/** Resolves when the signal aborts, or after a failure that retrying would not fix. */
export async function followConversation(
  id: SessionId,
  parts: FollowingParts,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff();
  let isLagged = false;
  while (!signal.aborted) {
    const position = follower.position();
    try {
      if (isLagged || position === undefined) await open(id, parts, follower, signal, backoff);
      else await parts.transport.follow(id, { ...follower, after: position, signal });
    } catch (error) {
      if (signal.aborted) return;
      isLagged = error instanceof ApiError && error.code === 'lagged';
      if (!isLagged) {
        follower.onFailed(error instanceof ApiError ? error : new ApiError(0, 'internal', String(error)));
        if (!isTemporary(error)) return;
      }
      await pause(backoff.next(), parts.environment.pageState, signal);
    }
  }
}

/** Opens and follows. Shows the events so far all at once, because a list that grows while it opens would jump. */
async function open(
  id: SessionId,
  { sessions, transport }: FollowingParts,
  follower: Follower,
  signal: AbortSignal,
  backoff: Backoff,
): Promise<void> {
  const { details, page } = await fetchPast(id, sessions, signal);
  let earlier: Envelope[] | undefined = [];
  const publish = () => {
    if (!earlier || signal.aborted) return;
    const view = foldEntries(openedView(details, page), earlier);
    earlier = undefined;
    follower.onOpened(details, page, view);
  };
  const deadline = setTimeout(publish, catchUpMs);
  if (page.after >= details.lastSeq) publish();
  const onEvent = (envelope: Envelope) => {
    backoff.reset();
    if (!earlier) follower.onEvent(envelope);
    else if (earlier.push(envelope) && envelope.seq >= details.lastSeq) publish();
  };
  try {
    await transport.follow(id, { ...follower, after: page.after, signal, onEvent });
  } finally {
    clearTimeout(deadline);
  }
}

/** The state must not be older than the page, or events in between would be missing. */
async function fetchPast(
  id: SessionId,
  sessions: Sessions,
  signal: AbortSignal,
): Promise<{ details: SessionDetails; page: PastPage }> {
  const [details, page] = await Promise.all([
    sessions.get(id, signal),
    sessions.past(id, { limit: pageSize, signal }),
  ]);
  if (details.lastSeq >= page.after) return { details, page };
  return { details: await sessions.get(id, signal), page };
}
