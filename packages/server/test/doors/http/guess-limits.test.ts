// Waiting times after wrong passwords, and which addresses count as one client.
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../src/doors/http/client-address.ts';
import { GuessLimits } from '../../../src/doors/http/login/guess-limits.ts';

const minute = 60_000;
const stranger = (address: string) => ({ address, browser: undefined });

describe('the limits on guessing', () => {
  it('double the wait with every try, up to a quarter of an hour, and forget after an hour', async () => {
    let now = 1_000_000;
    const limits = new GuessLimits({ now: () => now });
    const waits: number[] = [];
    for (let tries = 0; tries < 20; tries += 1) {
      const wait = await limits.begin(stranger('a'));
      if (wait === undefined) continue;
      waits.push(wait);
      now += wait * 1_000;
      expect(await limits.begin(stranger('a'))).toBeUndefined();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900]);
    now += 61 * minute;
    for (let tries = 0; tries < 5; tries += 1) expect(await limits.begin(stranger('a'))).toBeUndefined();
    expect(await limits.begin(stranger('a'))).toBe(1);
  });

  it('slow everybody down slightly if many addresses guess, and lock nobody out', async () => {
    let now = 1_000_000;
    const limits = new GuessLimits({ now: () => now });
    for (let address = 0; address < 50; address += 1)
      expect(await limits.begin(stranger(`a${address}`))).toBeUndefined();
    expect(await limits.begin(stranger('family'))).toBe(1);
    for (let tries = 0; tries < 30; tries += 1) {
      now += 10_000;
      expect(await limits.begin(stranger(`b${tries}`))).toBeUndefined();
    }
    expect(await limits.begin(stranger('family'))).toBe(10);
    now += 10_000;
    expect(await limits.begin(stranger('family'))).toBeUndefined();
  });

  it('count a browser that has logged in before separately, whatever happens elsewhere or at its address [kitchen.auth.known-browser]', async () => {
    const now = 1_000_000;
    const limits = new GuessLimits({ now: () => now });
    const known = { address: 'a0', browser: 'laptop' };
    for (let tries = 0; tries < 200; tries += 1) await limits.begin(stranger(`a${tries % 20}`));
    expect(await limits.begin(stranger('a0'))).toBeGreaterThan(0);
    expect(await limits.begin(known)).toBeUndefined();
    await limits.succeeded(known);
    for (let tries = 0; tries < 5; tries += 1) expect(await limits.begin(known)).toBeUndefined();
    expect(await limits.begin(known)).toBe(1);
    expect(await limits.begin({ ...known, browser: 'phone' })).toBeUndefined();
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:DB8:0:1::1', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['1::3:4:5:6:7:8', '1:0:3:4::/64'],
  ])('%s is the client %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});
