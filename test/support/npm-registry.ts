// A stand-in for npm's registry that serves the packages installed in this workspace, in their installed versions.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
}

/** Answers 404 for packages that are not installed, and for those that `has` leaves out. */
export async function startNpmRegistry(root: string, has: (name: string) => boolean): Promise<NpmRegistry> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object };
  const folders = Object.keys(lock.packages);
  const known = new Map<string, readonly Packed[]>();
  const find = (name: string) => {
    const versions = known.get(name) ?? folders.filter(isPackage(name)).flatMap((path) => pack(root, path));
    known.set(name, versions);
    return versions;
  };
  const server = createServer((request, response) => {
    const [name = '', version] = (request.url ?? '').slice(1).split('?')[0]?.split('/-/') ?? [];
    const versions = has(decodeURIComponent(name)) ? find(decodeURIComponent(name)) : [];
    const asked = versions.find(({ manifest }) => manifest.version === version);
    if (asked) response.end(asked.tarball);
    else if (version || versions.length === 0) response.writeHead(404).end('{}');
    else response.end(JSON.stringify(packageDocument(versions, `${url()}/${name}/-/`)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A package may be installed in several versions, nested below other packages. */
function isPackage(name: string): (path: string) => boolean {
  return (path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`);
}

function packageDocument(versions: readonly Packed[], address: string): object {
  const entries = versions.map(({ manifest, tarball }) => {
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    return [manifest.version, { ...manifest, dist: { tarball: address + manifest.version, integrity } }];
  });
  const { name, version: latest } = versions[0]?.manifest ?? {};
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) };
}

function pack(root: string, path: string): Packed[] {
  const folder = join(root, path);
  if (!existsSync(join(folder, 'package.json'))) return [];
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Packed['manifest'];
  const stage = mkdtempSync(join(tmpdir(), 'parley-registry-'));
  try {
    cpSync(folder, join(stage, 'package'), {
      recursive: true,
      filter: (file) => !file.slice(folder.length).includes('node_modules'),
    });
    const maxBuffer = 1024 * 1024 * 1024;
    return [{ manifest, tarball: execFileSync('tar', ['-czf', '-', '-C', stage, 'package'], { maxBuffer }) }];
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
