// The encryption of notifications, against the example in the standard.
import { describe, expect, it } from 'vitest';
import { areBrowserKeys, encrypt } from '../../src/push/encryption.ts';

/** From RFC 8291, appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

describe('the encryption of a notification', () => {
  it('is that of RFC 8291 [app.push.encrypted]', () => {
    const { text, privateKey, salt, body } = example;
    const fixed = { privateKey: Buffer.from(privateKey, 'base64url'), salt: Buffer.from(salt, 'base64url') };
    expect(encrypt(text, example, fixed).toString('base64url')).toBe(body);
    // Without them, no two messages are alike.
    expect(encrypt(text, example)).not.toEqual(encrypt(text, example));
  });

  it('takes only keys that a browser can have [app.push.encrypted]', () => {
    const { p256dh, auth } = example;
    expect(areBrowserKeys({ p256dh, auth })).toBe(true);
    expect(areBrowserKeys({ p256dh, auth: 'short' })).toBe(false);
    expect(areBrowserKeys({ p256dh: `${p256dh.slice(0, -4)}AAAA`, auth })).toBe(false);
    expect(areBrowserKeys({ p256dh: 'AAAA', auth })).toBe(false);
  });
});
