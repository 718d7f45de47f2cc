// Which changes of sessions are reported as changed titles.
import { describe, expect, it } from 'vitest';
import type { Activity } from '../../src/domain/activity.ts';
import type { CodeSession, CodeSessionChange } from '../../src/domain/code-sessions.ts';
import { watchTitles } from '../../src/gateway/watch-titles.ts';

function session(id: string, title: string): CodeSession {
  return {
    id,
    title,
    firstPrompt: undefined,
    workingDir: '/work/garden',
    gitBranch: undefined,
    createdAt: 0,
    updatedAt: 0,
    status: 'archived',
    mode: 'ui',
    isArchived: false,
    isWorking: false,
    isWaiting: false,
    costUsd: undefined,
    sizeBytes: 0,
    sandbox: { kind: 'none', reason: 'off', required: false },
  };
}

/** What is reported about the changes, as session and title. */
function reportedFor(changes: readonly CodeSessionChange[]): string[] {
  const reported: Activity[] = [];
  const onChange = (_person: string, listener: (change: CodeSessionChange) => void) => {
    for (const change of changes) listener(change);
    return () => undefined;
  };
  watchTitles(() => ({ onChange }))('ada', (activity) => reported.push(activity));
  expect(reported.every(({ type }) => type === 'title-changed')).toBe(true);
  return reported.map((activity) => `${activity.session.id} ${activity.session.title}`);
}

describe('a title', () => {
  it('is reported when it changes, and when it is the first title of a session, wherever that was started [code.notifications.title-changed]', () => {
    expect(
      reportedFor([
        { type: 'added', session: session('new', '') },
        { type: 'title', session: session('new', 'Beans') },
        { type: 'added', session: session('from a terminal', 'Peas') },
        { type: 'title', session: session('new', 'Broad beans') },
      ]),
    ).toEqual(['new Beans', 'from a terminal Peas', 'new Broad beans']);
  });

  it('is reported once, however often it is seen [code.notifications.only-title-changes]', () => {
    expect(
      reportedFor([
        { type: 'added', session: session('a', 'Beans') },
        { type: 'added', session: session('a', 'Beans') },
        { type: 'removed', id: 'b' },
        { type: 'title', session: session('a', 'Beans') },
      ]),
    ).toEqual(['a Beans']);
  });

  it('is remembered for a limited number of sessions', () => {
    const many = Array.from({ length: 600 }, (_, at) => session(String(at), 'Beans'));
    const first = session('0', 'Beans');
    const reported = reportedFor([...many, first].map((one) => ({ type: 'added', session: one })));
    expect(reported).toHaveLength(601);
  });
});
