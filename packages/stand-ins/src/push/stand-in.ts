// A push service for tests, and the browsers that subscribe to it. It checks who sends (RFC 8292) and decrypts what arrives
// (RFC 8291) with code of its own, so a message that a real browser could not read is refused here too.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

/** What a browser gives to the server. */
export interface PushSubscriptionStandIn {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

export interface ReceivedPush {
  readonly endpoint: string;
  /** Decrypted. */
  readonly message: string;
  readonly headers: IncomingMessage['headers'];
  /** The server's key, which is in its signature. */
  readonly serverKey: string;
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
}

export interface PushStandIn {
  /** Such as `127.0.0.1:40123`. */
  readonly host: string;
  readonly received: readonly ReceivedPush[];
  /** How many requests arrived, including those that failed. */
  readonly attempts: number;
  subscribe(): PushSubscriptionStandIn;
  /** Answers the next request with this status. */
  failNext(status: number, headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

interface Browser extends PushSubscriptionStandIn {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
}

const maxBytes = 4096;

export async function startPushStandIn(): Promise<PushStandIn> {
  const browsers = new Map<string, Browser>();
  const received: ReceivedPush[] = [];
  const failures: { status: number; headers: Readonly<Record<string, string>> }[] = [];
  let attempts = 0;

  const server = createServer((request, response) => {
    attempts += 1;
    answer(request).then(
      ({ status, headers = {} }) => response.writeHead(status, headers).end(),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;

  async function answer(
    request: IncomingMessage,
  ): Promise<{ status: number; headers?: Readonly<Record<string, string>> }> {
    const body = await bodyOf(request);
    const failure = failures.shift();
    if (failure) return failure;
    const browser = browsers.get(request.url ?? '');
    if (!browser || request.method !== 'POST') return { status: 404 };
    if (body.length > maxBytes) return { status: 413 };
    const { headers } = request;
    if (headers['content-encoding'] !== 'aes128gcm' || !/^\d+$/.test(String(headers['ttl'])))
      return { status: 400 };
    const sender = checkSender(headers.authorization ?? '', `http://${host}`);
    if (!sender) return { status: 403 };
    received.push({ endpoint: browser.endpoint, message: decrypt(body, browser), headers, ...sender });
    return { status: 201 };
  }

  return {
    host,
    received,
    get attempts() {
      return attempts;
    },
    subscribe() {
      const ecdh = createECDH('prime256v1');
      const auth = randomBytes(16);
      const path = `/push/${randomUUID()}`;
      const keys = { p256dh: ecdh.generateKeys('base64url'), auth: auth.toString('base64url') };
      const browser = { endpoint: `http://${host}${path}`, keys, ecdh, auth };
      browsers.set(path, browser);
      return { endpoint: browser.endpoint, keys };
    },
    failNext: (status, headers = {}) => void failures.push({ status, headers }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Undefined if the signature doesn't match the key, or if the token is for another service or valid for too long. */
function checkSender(header: string, origin: string): Pick<ReceivedPush, 'serverKey' | 'claims'> | undefined {
  const [, token = '', serverKey = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head = '', content = '', signature = ''] = token.split('.');
  const point = Buffer.from(serverKey, 'base64url');
  if (point.length !== 65) return undefined;
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${content}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const claims = JSON.parse(Buffer.from(content, 'base64url').toString()) as ReceivedPush['claims'];
  const seconds = claims.exp - Date.now() / 1_000;
  const isValid =
    claims.aud === origin && seconds > 0 && seconds <= 86_400 && /^(https:|mailto:)/.test(claims.sub);
  return isSigned && isValid ? { serverKey, claims } : undefined;
}

function decrypt(body: Buffer, { ecdh, auth }: Browser): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const serverPoint = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const derive = (secret: Buffer, mixed: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, mixed, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), serverPoint]);
  const secret = derive(ecdh.computeSecret(serverPoint), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = text.lastIndexOf(2);
  if (end < 0) throw new Error('the last record has no end');
  return text.subarray(0, end).toString();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= 2 * maxBytes) chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
