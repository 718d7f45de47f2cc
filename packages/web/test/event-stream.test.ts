import type { SessionNotification } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEvent, readEvents } from '../src/api/event-stream.ts';

const text = 'id: 1\nevent: chunk\ndata: {"text":"grün"}\n\n: still here\n\nid: 2\ndata: a\ndata: b\n\n';

describe('server-sent events', () => {
  it('have an id, a name and data of one or more lines; comments are none', () => {
    expect(parseEvent('id: 7\nevent: done\ndata: {}')).toEqual({ id: '7', name: 'done', data: '{}' });
    expect(parseEvent('data: a\ndata: b')).toEqual({ id: '', name: 'message', data: 'a\nb' });
    expect(parseEvent('id: 7')).toEqual({ id: '7', name: 'message', data: '' });
    expect(parseEvent(': still here')).toBeUndefined();
  });

  it('are the same wherever the bytes are cut', async () => {
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 10 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        const seen = [];
        for await (const event of readEvents(new Response(new Blob(chunks).stream()))) seen.push(event);
        expect(seen).toEqual([
          { id: '1', name: 'chunk', data: '{"text":"grün"}' },
          { id: '2', name: 'message', data: 'a\nb' },
        ]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a notice', () => {
  it('names what needs the person, the session and its project', async () => {
    Object.assign(globalThis, { document: { baseURI: 'http://localhost/' } });
    const { noticeFor } = await import('../src/app/notifications.ts');
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
