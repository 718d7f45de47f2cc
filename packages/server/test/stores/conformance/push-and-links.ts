// Devices that get notifications, links to sessions, and how people organize them, in every SQL store.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PushDevice } from '../../../src/domain/push.ts';
import type { ShareLink } from '../../../src/domain/share-links.ts';
import type { SqlStore } from '../../../src/stores/sql/store.ts';
import { aSession } from '../fixtures.ts';

type OpenSql = () => Promise<SqlStore & { close(): Promise<void> }>;

const login = { kind: 'family', credential: 'x', createdAt: 1, seenAt: 1, expiresAt: 100 } as const;
const device: PushDevice = {
  id: 'one',
  person: 'petra',
  login: 'login',
  endpoint: 'https://push.example/1',
  p256dh: 'key',
  auth: 'auth',
  language: 'de',
  createdAt: 5,
};

export function describePushAndLinks(name: string, open: OpenSql): void {
  const opened: OpenSql = async () => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name}, for notifications, links and marks,`, () => {
    it('keeps the first key, and what people chose', async () => {
      const { push } = await opened();
      expect(await push.key('first')).toBe('first');
      expect(await push.key('second')).toBe('first');
      expect(await push.settings('petra')).toBeUndefined();
      const settings = { kinds: ['done' as const], quiet: null, muted: ['x'] };
      await push.putSettings('petra', { ...settings, muted: [] });
      await push.putSettings('petra', settings);
      expect(await push.settings('petra')).toEqual(settings);
    });

    it('lists devices while their login lasts and is the person’s, and only the newest [app.push.device]', async () => {
      const { push, logins } = await opened();
      await logins.add({ ...login, id: 'login', person: 'petra' }, 10);
      await push.put({ ...device, endpoint: 'https://push.example/old' }, 2);
      await push.put(device, 2);
      expect(await push.devices('petra', 50)).toEqual([device]);
      expect(await push.devices('petra', 100)).toEqual([]);
      await logins.change('login', { person: 'anna' });
      expect(await push.devices('petra', 50)).toEqual([]);
      expect(await push.devices('anna', 50)).toEqual([]);
      await logins.change('login', { person: 'petra' });
      await push.put({ ...device, id: 'two', createdAt: 6 }, 2);
      await push.put({ ...device, id: 'three', createdAt: 7 }, 2);
      expect((await push.devices('petra', 50)).map(({ id }) => id).toSorted()).toEqual(['three', 'two']);
      await push.remove('two');
      await logins.remove('login');
      expect(await push.devices('petra', 50)).toEqual([]);
    });

    it('finds a link until it expires, is removed, or its session is gone [app.links.ends]', async () => {
      const store = await opened();
      const session = aSession();
      await store.createSession(session);
      const link: ShareLink = {
        id: 'link',
        sha256: 'hash',
        session: session.id,
        person: session.person,
        turns: ['a', 'b'],
        isWhole: false,
        language: 'de',
        createdAt: 10,
        expiresAt: 20,
      };
      const { shareLinks } = store;
      await shareLinks.add(link);
      await shareLinks.add({ ...link, id: 'other', sha256: 'other', createdAt: 11, expiresAt: 30 });
      expect(await shareLinks.find('hash', 19)).toEqual(link);
      expect(await shareLinks.find('hash', 20)).toBeUndefined();
      expect((await shareLinks.list(session.id, 15)).map(({ id }) => id)).toEqual(['link', 'other']);
      expect(await shareLinks.remove('another session', 'link')).toBe(false);
      expect(await shareLinks.remove(session.id, 'link')).toBe(true);
      expect(await shareLinks.find('hash', 15)).toBeUndefined();
      await store.deleteSession(session.id);
      expect(await shareLinks.find('other', 15)).toBeUndefined();
    });

    it('keeps what each person has pinned, tagged and archived, until the session is gone [app.organize.marks.own]', async () => {
      const store = await opened();
      const [one, two] = [aSession(), aSession()];
      for (const session of [one, two]) await store.createSession(session);
      const { marks } = store;
      const ids = [one.id, two.id];
      await marks.change('anna', ids, { isPinned: true, addTags: ['work', 'later'] });
      await marks.change('anna', [one.id], { isArchived: true, removeTags: ['work'], addTags: ['a'] });
      await marks.change('petra', [one.id], { addTags: ['hers'] });
      expect(await marks.of('anna')).toEqual(
        new Map([
          [one.id, { isPinned: true, isArchived: true, tags: ['a', 'later'] }],
          [two.id, { isPinned: true, isArchived: false, tags: ['later', 'work'] }],
        ]),
      );
      await marks.change('petra', [one.id], { removeTags: ['hers'] });
      expect(await marks.of('petra')).toEqual(new Map());
      await store.deleteSession(one.id);
      expect([...(await marks.of('anna')).keys()]).toEqual([two.id]);
    });

    it('hides a session until it is restored or its time is up [app.organize.delete.undo]', async () => {
      const store = await opened();
      const session = aSession();
      await store.createSession(session);
      const { marks } = store;
      expect(await marks.remove('no such session', 20)).toBe(false);
      expect(await marks.remove(session.id, 20)).toBe(true);
      expect([await store.getSession(session.id), await marks.hidden()]).toEqual([
        undefined,
        new Set([session.id]),
      ]);
      expect(await marks.restore(session.id, 'petra', 10)).toBe(false);
      expect(await marks.restore(session.id, session.person, 10)).toBe(true);
      expect(await store.getSession(session.id)).toEqual(session);
      await marks.remove(session.id, 20);
      expect(await marks.takeDue(19)).toEqual([]);
      expect(await marks.takeDue(20)).toEqual([
        { id: session.id, person: session.person, engine: session.engine },
      ]);
      expect(await marks.restore(session.id, session.person, 20)).toBe(false);
    });
  });
}
