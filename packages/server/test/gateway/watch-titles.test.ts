// Which changes of sessions are told as changed titles.
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
  };
}

/** What is told of the changes, as session and title. */
function toldOf(changes: readonly CodeSessionChange[]): string[] {
  const told: Activity[] = [];
  const onChange = (_person: string, listener: (change: CodeSessionChange) => void) => {
    for (const change of changes) listener(change);
    return () => undefined;
  };
  watchTitles(() => ({ onChange }))('ada', (activity) => told.push(activity));
  expect(told.every(({ type }) => type === 'title-changed')).toBe(true);
  return told.map((activity) => `${activity.session.id} ${activity.session.title}`);
}

describe('a title', () => {
  it('is told when it changes, and when it is the first one of a session from anywhere [code.notifications.title-changed]', () => {
    expect(
      toldOf([
        { type: 'added', session: session('new', '') },
        { type: 'title', session: session('new', 'Beans') },
        { type: 'added', session: session('from a terminal', 'Peas') },
        { type: 'title', session: session('new', 'Broad beans') },
      ]),
    ).toEqual(['new Beans', 'from a terminal Peas', 'new Broad beans']);
  });

  it('is told once, however often it is come upon [code.notifications.only-title-changes]', () => {
    expect(
      toldOf([
        { type: 'added', session: session('a', 'Beans') },
        { type: 'added', session: session('a', 'Beans') },
        { type: 'removed', id: 'b' },
        { type: 'title', session: session('a', 'Beans') },
      ]),
    ).toEqual(['a Beans']);
  });

  it('is not remembered without bound', () => {
    const many = Array.from({ length: 600 }, (_, at) => session(String(at), 'Beans'));
    const first = session('0', 'Beans');
    const told = toldOf([...many, first].map((one) => ({ type: 'added', session: one })));
    expect(told).toHaveLength(601);
  });
});
