import type { SessionNotification } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { notificationText } from '../src/app/notification-text.ts';

describe('a notification', () => {
  it('names what happened, the session and its project', () => {
    const notice: SessionNotification = {
      session_id: '7f1f3a1e-5a8e-4f4e-9a55-2f7f3a1e5a8e',
      title: 'Peas',
      project: '/home/petra/garden',
      path: '/code/7f1f3a1e-5a8e-4f4e-9a55-2f7f3a1e5a8e',
    };
    expect(notificationText('permission-waiting', { ...notice, tool: 'Bash' })).toMatchObject({
      title: 'Bash needs your permission',
      body: 'Peas · garden',
      path: notice.path,
    });
    expect(notificationText('turn-ended', { ...notice, outcome: 'completed' })).toMatchObject({
      title: 'Done',
    });
    expect(notificationText('turn-ended', { ...notice, outcome: 'failed' })).toMatchObject({
      title: 'Failed',
    });
    expect(notificationText('claude-session-updated', notice)).toBeUndefined();
  });
});
