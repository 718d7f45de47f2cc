// Knows which IP addresses belong to the public Internet. Any other may be this machine or one in the household.
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { networkInterfaces } from 'node:os';

/** Reads the network interfaces of this machine. */
export type ReadInterfaces = typeof networkInterfaces;

/** False for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4');
  // Zones (fe80::1%eth0) name an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

/**
 * The machine's own addresses, which may well be public. With IPv6 the household's other machines have public addresses
 * too, in the same /64 even where an interface lists its address alone. With IPv4 the neighbors are strangers.
 */
export function ownAddresses(read: ReadInterfaces): BlockList {
  const list = new BlockList();
  for (const { address, family, cidr } of Object.values(read()).flatMap((infos) => infos ?? [])) {
    // The others are refused anyway, and a network around `::1` would contain every IPv4 address in its mapped form.
    if (!isPublicAddress(address)) continue;
    if (family === 'IPv4') list.addAddress(address, 'ipv4');
    else list.addSubnet(address, networkBits(cidr), 'ipv6');
  }
  return list;
}

/** No household has more than a /32: a shorter prefix is a tunnel that leads everywhere. */
function networkBits(cidr: string | null): number {
  return Math.max(32, Math.min(64, Number(cidr?.split('/')[1] ?? 64)));
}

const special4 = ranges('ipv4', [
  '0.0.0.0/8', // this network, and the unspecified address
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; metadata of Alibaba Cloud
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata of Azure
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; metadata of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/**
 * Global unicast only. This excludes loopback, unspecified, link-local, unique local and multicast addresses, and those
 * that wrap an IPv4 address: `::ffff:`, `::`, NAT64 (`64:ff9b::`).
 */
const global6 = ranges('ipv6', ['2000::/3']);

const special6 = ranges('ipv6', [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which wraps an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

function ranges(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
