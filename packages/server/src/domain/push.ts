// Notifications to devices on which no page is open: the ports, and the rules for when to send one.
import type {
  PermissionId,
  PersonName,
  PushChoices,
  PushKind,
  PushLanguage,
  PushSettings,
  QuietHours,
  SessionId,
  TurnOutcome,
} from '@parley/protocol';
import type { Activity } from './activity.ts';

/** A browser that wants notifications. It gets them as long as its login lasts and belongs to the person. */
export interface PushDevice {
  /** A hash of the endpoint. */
  readonly id: string;
  readonly person: PersonName;
  readonly login: string;
  /** The address at the browser's push service. It comes from outside, so don't trust it. */
  readonly endpoint: string;
  /** The browser's keys, in base64url. Only this browser can read what is encrypted with them. */
  readonly p256dh: string;
  readonly auth: string;
  readonly language: PushLanguage;
  readonly createdAt: number;
}

/** Every call rejects with `unavailable` when the database cannot be used; every write is durable. */
export interface PushStore {
  /** The server's private key: the stored one, or this one if there was none. */
  key(fresh: string): Promise<string>;
  /** Replaces an earlier one with the same id. Keeps only the person's newest `most` devices. */
  put(device: PushDevice, most: number): Promise<void>;
  /** Those whose login is still valid and belongs to the person. */
  devices(person: PersonName, now: number): Promise<readonly PushDevice[]>;
  remove(id: string): Promise<void>;
  settings(person: PersonName): Promise<PushSettings | undefined>;
  putSettings(person: PersonName, settings: PushSettings): Promise<void>;
}

/** Which permission the token of a notification is for. */
export interface PushedPermission {
  readonly person: PersonName;
  readonly session: SessionId;
  readonly permission: PermissionId;
}

export interface Push {
  readonly publicKey: string;
  settings(person: PersonName): Promise<PushSettings>;
  choose(person: PersonName, choices: PushChoices): Promise<PushSettings>;
  mute(person: PersonName, session: SessionId, muted: boolean): Promise<PushSettings>;
  /** Rejects with `invalid` if the endpoint is not at a push service on the Internet, or the keys are malformed. */
  subscribe(device: Omit<PushDevice, 'id' | 'createdAt'>): Promise<void>;
  /** Does nothing if the person has no such device. */
  unsubscribe(person: PersonName, endpoint: string): Promise<void>;
  /** Undefined if the token is forged or too old, or its device no longer gets the person's notifications. */
  permissionOf(token: string): Promise<PushedPermission | undefined>;
}

/** Knows who is looking at which session. */
export interface Watching {
  isLooking(person: PersonName, session: SessionId): boolean;
}

export const defaultSettings: PushSettings = {
  kinds: ['needs-you', 'done', 'failed', 'mention'],
  quiet: null,
  muted: [],
};

/** A stopped turn notifies nobody: whoever stopped it knows. */
const endings: Readonly<Record<TurnOutcome, PushKind | undefined>> = {
  completed: 'done',
  failed: 'failed',
  interrupted: undefined,
};

/** Undefined if nobody needs a notification. */
export function pushKindOf(activity: Activity): PushKind | undefined {
  switch (activity.type) {
    case 'permission-waiting':
      return 'needs-you';
    case 'mentioned':
      return 'mention';
    case 'turn-ended':
      return endings[activity.outcome];
    case 'title-changed':
      return undefined;
    default:
      return activity satisfies never;
  }
}

export function shouldPush(settings: PushSettings, kind: PushKind, session: SessionId, now: number): boolean {
  const { kinds, muted, quiet } = settings;
  return kinds.includes(kind) && !muted.includes(session) && !(quiet && isQuiet(quiet, now));
}

function isQuiet({ from, to, timeZone }: QuietHours, now: number): boolean {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
