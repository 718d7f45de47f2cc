// A certificate that nobody trusts, for stand-ins that speak TLS. Made on the spot, so that no key is in the repository.
import { generateKeyPairSync, sign } from 'node:crypto';

export function untrustedCertificate(names: readonly string[]): {
  readonly key: string;
  readonly cert: string;
} {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = list(der(0x31, list(oid('550403'), der(0x0c, Buffer.from('Parley stand-in')))));
  const validity = list(der(0x17, Buffer.from('200101000000Z')), der(0x18, Buffer.from('20991231235959Z')));
  const hosts = list(...names.map((name) => der(0x82, Buffer.from(name))));
  const content = list(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    issuer,
    validity,
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, list(list(oid('551d11'), der(0x04, hosts)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const lines =
    list(content, ecdsaWithSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const ecdsaWithSha256 = list(oid('2a8648ce3d040302'));

function list(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
