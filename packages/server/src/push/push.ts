// Tells people on their devices that something needs them, is done or names them, unless they are looking at it.
import { createHash } from 'node:crypto';
import {
  ParleyError,
  type PersonName,
  type PushKind,
  type PushMessage,
  type PushSettings,
} from '@parley/protocol';
import { KeyedQueue } from '../basics/keyed-queue.ts';
import type { Activity, ActivityObserver } from '../domain/activity.ts';
import { toNotification } from '../domain/activity.ts';
import type { Clock } from '../domain/clock.ts';
import type { SendHttp } from '../domain/http.ts';
import type { Logger } from '../domain/logger.ts';
import {
  defaultSettings,
  type Push,
  type PushDevice,
  type PushStore,
  pushKindOf,
  shouldPush,
  type Watching,
} from '../domain/push.ts';
import { createDecisionTokens } from './decision-tokens.ts';
import { Delivery } from './delivery.ts';
import { areBrowserKeys, longestMessage, newServerKey, readServerKey } from './encryption.ts';
import { pushWords } from './words.ts';

export interface PushOptions {
  readonly store: PushStore;
  readonly http: SendHttp;
  /** Exact `host:port` pairs of push services that need not be on the Internet. */
  readonly allowedHosts: readonly string[];
  readonly contact: string;
  readonly watching: Watching;
  readonly displayNameOf: (person: PersonName) => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RunningPush extends Push, ActivityObserver {
  close(): Promise<void>;
}

const maxDevices = 20;
const maxMuted = 500;
const longestText = 200;

export async function openPush(options: PushOptions): Promise<RunningPush> {
  const { store, watching, clock, logger } = options;
  const key = readServerKey(await store.key(newServerKey()));
  const tokens = createDecisionTokens(key);
  const delivery = new Delivery({ ...options, key });
  /** Changes to one person's settings run one after the other. */
  const changes = new KeyedQueue();
  const running = new Set<Promise<void>>();

  const settingsOf = async (person: PersonName) => (await store.settings(person)) ?? defaultSettings;

  function change(person: PersonName, to: (now: PushSettings) => PushSettings): Promise<PushSettings> {
    return changes.run(person, async () => {
      const changed = to(await settingsOf(person));
      await store.putSettings(person, changed);
      return changed;
    });
  }

  async function notify(person: PersonName, kind: PushKind, activity: Activity): Promise<void> {
    const now = clock.now();
    const topic = activity.session.id;
    if (!shouldPush(await settingsOf(person), kind, topic, now)) return;
    const devices = await store.devices(person, now);
    await Promise.all(
      devices.map((device) =>
        delivery.send(device, { kind, topic, message: messageFor(device, activity, now) }),
      ),
    );
  }

  function messageFor(device: PushDevice, activity: Activity, now: number): string {
    const { title, project } = activity.session;
    const words = pushWords[device.language];
    const where = project === undefined ? '' : ` · ${project.split('/').at(-1)}`;
    const message: PushMessage = {
      title: titleOf(activity, device).slice(0, longestText),
      body: `${title.slice(0, longestText) || words.untitled}${where.slice(0, longestText)}`,
      tag: activity.session.id,
      path: toNotification(activity).data.path,
      ...(activity.type === 'permission-waiting' &&
        activity.isPlain && {
          decision: {
            token: tokens.make(
              {
                device: device.id,
                person: device.person,
                session: activity.session.id,
                permission: activity.permission,
              },
              now,
            ),
            allow: words.allow,
            deny: words.deny,
            late: words.late,
          },
        }),
    };
    const text = JSON.stringify(message);
    // Unusual characters take many bytes. The question itself must still arrive.
    return Buffer.byteLength(text) <= longestMessage
      ? text
      : JSON.stringify({ ...message, title: words.untitled, body: '' } satisfies PushMessage);
  }

  function titleOf(activity: Activity, { language }: PushDevice): string {
    const words = pushWords[language];
    switch (activity.type) {
      case 'permission-waiting':
        return words.needsYou(activity.tool);
      case 'mentioned':
        return words.mention(options.displayNameOf(activity.by));
      case 'turn-ended':
        return activity.outcome === 'failed' ? words.failed : words.done;
      case 'title-changed':
        return words.untitled;
      default:
        return activity satisfies never;
    }
  }

  return {
    publicKey: key.publicKey,
    settings: settingsOf,
    choose: (person, choices) => change(person, (now) => ({ ...now, ...choices })),
    mute: (person, session, muted) =>
      change(person, (now) => {
        const others = now.muted.filter((id) => id !== session);
        return { ...now, muted: muted ? [...others, session].slice(-maxMuted) : others };
      }),

    async subscribe(device) {
      const { host, port, protocol } = new URL(device.endpoint);
      const isAllowed = protocol === 'https:' || (port !== '' && options.allowedHosts.includes(host));
      if (!isAllowed || !areBrowserKeys(device)) throw notASubscription;
      await store.put({ ...device, id: idOf(device.endpoint), createdAt: clock.now() }, maxDevices);
    },

    async unsubscribe(person, endpoint) {
      const id = idOf(endpoint);
      const own = await store.devices(person, clock.now());
      if (own.some((device) => device.id === id)) await store.remove(id);
    },

    async permissionOf(token) {
      const now = clock.now();
      const read = tokens.read(token, now);
      const own = read && (await store.devices(read.person, now));
      return own?.some(({ id }) => id === read?.device) ? read : undefined;
    },

    noticed(person, activity) {
      const kind = pushKindOf(activity);
      if (kind === undefined || watching.isLooking(person, activity.session.id)) return;
      const run: Promise<void> = notify(person, kind, activity)
        .catch((error: unknown) => logger.error({ err: error, person }, 'a notification could not be sent'))
        .finally(() => running.delete(run));
      running.add(run);
    },

    async close() {
      delivery.close();
      await Promise.all(running);
      await changes.idle();
    },
  };
}

function idOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex');
}

const notASubscription = new ParleyError(
  'invalid',
  'This is not a subscription that a browser would send. Turn notifications off and on again.',
);
