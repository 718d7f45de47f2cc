import type { SessionNotification } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { noticeFor } from '../src/app/notice-text.ts';

describe('a notification', () => {
  it('names what happened, the session and its project', () => {
    const notice: SessionNotification = {
      session_id: '7f1f3a1e-5a8e-4f4e-9a55-2f7f3a1e5a8e',
      title: 'Peas',
      project: '/home/petra/garden',
      path: '/code/7f1f3a1e-5a8e-4f4e-9a55-2f7f3a1e5a8e',
    };
    expect(noticeFor('permission-waiting', { ...notice, tool: 'Bash' })).toMatchObject({
      title: 'Bash needs your permission',
      body: 'Peas · garden',
      path: notice.path,
    });
    expect(noticeFor('turn-ended', { ...notice, outcome: 'completed' })).toMatchObject({ title: 'Done' });
    expect(noticeFor('turn-ended', { ...notice, outcome: 'failed' })).toMatchObject({ title: 'Failed' });
    expect(noticeFor('claude-session-updated', notice)).toBeUndefined();
  });
});
