// Types for the parts of a service worker's global scope that we use. TypeScript's own conflict with those for pages.

export interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

export interface PushEvent extends WorkerEvent {
  readonly data: { json(): unknown } | null;
}

export interface NotificationEvent extends WorkerEvent {
  /** Empty for the notification itself. */
  readonly action: string;
  readonly notification: Notification;
}

export interface WindowClient {
  readonly url: string;
  readonly focused: boolean;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

interface WorkerEvents {
  readonly install: WorkerEvent;
  readonly activate: WorkerEvent;
  readonly message: WorkerEvent;
  readonly fetch: FetchEvent;
  readonly push: PushEvent;
  readonly notificationclick: NotificationEvent;
}

interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(wanted: { readonly type: 'window' }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ): void;
}

export const scope = globalThis as unknown as WorkerScope;

/** The address of the app, which may share its host with other apps. */
export const base = new URL('./', globalThis.location.href);

/** All apps on a host share its caches, so the names say which app they belong to. */
export function cachePrefix(kind: string): string {
  return `parley-${kind} ${base.pathname} `;
}

/** The path relative to the app, such as `api/me`; undefined outside the app. */
export function pathOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  const isOurs = origin === base.origin && pathname.startsWith(base.pathname);
  return isOurs ? pathname.slice(base.pathname.length) : undefined;
}

/** Asks the server. Undefined without a network, and if only a proxy in front of the server answers. */
export async function reach(request: Request): Promise<Response | undefined> {
  const response = await fetch(request).catch(() => undefined);
  return response && noServer.has(response.status) ? undefined : response;
}

const noServer: ReadonlySet<number> = new Set([502, 503, 504]);
