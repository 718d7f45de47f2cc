// Web Push: encrypts a message for one browser (RFC 8291) and signs the request for its push service (RFC 8292). Between us
// and the browser, nobody can read it.
import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** What a browser sends when it subscribes, in base64url. */
export interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

export interface ServerKey {
  readonly privateKey: KeyObject;
  /** An uncompressed point, in base64url. */
  readonly publicKey: string;
}

const curve = 'prime256v1';
const recordSize = 4096;
/** A push service takes 4,096 bytes, including the header and the tag. */
export const longestMessage = 3_900;

/** Returns a new key as the store keeps it. */
export function newServerKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url');
}

export function readServerKey(stored: string): ServerKey {
  const privateKey = createPrivateKey({
    key: Buffer.from(stored, 'base64url'),
    type: 'pkcs8',
    format: 'der',
  });
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return { privateKey, publicKey: Buffer.concat(point).toString('base64url') };
}

export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    const ecdh = createECDH(curve);
    ecdh.generateKeys();
    // Throws unless it is a point on the curve.
    return ecdh.computeSecret(Buffer.from(p256dh, 'base64url')).length === 32;
  } catch {
    return false;
  }
}

/** The whole body of the request. `fixed` is for the test vector of the RFC. */
export function encrypt(
  message: string,
  browser: BrowserKeys,
  fixed?: { readonly privateKey: Buffer; readonly salt: Buffer },
): Buffer {
  const ecdh = createECDH(curve);
  if (fixed) ecdh.setPrivateKey(fixed.privateKey);
  else ecdh.generateKeys();
  const own = ecdh.getPublicKey();
  const other = Buffer.from(browser.p256dh, 'base64url');
  const salt = fixed?.salt ?? randomBytes(16);

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), other, own]);
  const secret = derive(ecdh.computeSecret(other), Buffer.from(browser.auth, 'base64url'), info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // The 2 says that this is the last record.
  const content = Buffer.concat([Buffer.from(message), Buffer.from([2])]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  return Buffer.concat([
    salt,
    size,
    Buffer.from([own.length]),
    own,
    cipher.update(content),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

const tokenSeconds = 12 * 60 * 60;

/** The `Authorization` header for the push service at this origin. */
export function authorization(
  { privateKey, publicKey }: ServerKey,
  claims: { readonly origin: string; readonly contact: string; readonly now: number },
): string {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const expires = Math.floor(claims.now / 1_000) + tokenSeconds;
  const unsigned = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: claims.origin, exp: expires, sub: claims.contact })}`;
  const signature = sign('sha256', Buffer.from(unsigned), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${unsigned}.${signature.toString('base64url')}, k=${publicKey}`;
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}
