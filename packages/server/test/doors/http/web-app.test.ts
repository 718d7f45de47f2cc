// The built web app over HTTP: one page for all its URLs, its files, and both under a path prefix.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DoorHarness, familyPassword, rawRequest, startDoor } from './door-harness.ts';

const script = 'console.log("the app");\n'.repeat(100);
let folder: string;
let door: DoorHarness;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-web-app-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head></head><body></body></html>');
  writeFileSync(join(folder, 'app.webmanifest'), '{}');
  writeFileSync(join(folder, 'notes.txt'), 'of no known kind');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), script);
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync(script));
  writeFileSync(join(folder, 'assets', 'inter-latin-wght-normal-1a2b.woff2'), 'the font');
  writeFileSync(join(folder, 'assets', 'inter-greek-wght-normal-1a2b.woff2'), 'another font');
  mkdirSync(join(folder, 'help'));
  writeFileSync(join(folder, 'help', 'index.html'), '<!doctype html><title>Help</title>');
  writeFileSync(join(folder, 'help', 'help.js'), script);
  writeFileSync(join(folder, 'help', 'demo.webm'), 'moving');
  door = await startDoor({ webAppFolder: folder });
});
afterAll(async () => {
  await door.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the documentation', () => {
  it('needs no login and may load only its own files [ops.help.served]', async () => {
    for (const path of ['/help', '/help/', '/help/index.html']) {
      const response = await fetch(`${door.url}${path}`);
      expect([response.status, new URL(response.url).pathname]).toEqual([
        200,
        path === '/help' ? '/help/' : path,
      ]);
      expect(await response.text()).toContain('<title>Help</title>');
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    }
    expect((await fetch(`${door.url}/help/help.js`)).status).toBe(200);
    // A player asks for parts.
    for (const [range, status, part] of [
      ['', 200, 'moving'],
      ['bytes=2-3', 206, 'vi'],
      ['bytes=9-', 416, ''],
    ] as const) {
      const video = await fetch(`${door.url}/help/demo.webm`, { headers: { range } });
      expect([video.status, video.headers.get('content-type'), await video.text()]).toEqual([
        status,
        'video/webm',
        part,
      ]);
    }
    for (const path of ['/help/../index.html', '/help/%2e%2e/index.html', '/help/app.webmanifest'])
      expect((await rawRequest(door.url, { path })).status).not.toBe(200);
  });
});

describe('a limit of requests', () => {
  it('leaves room for the many files that a browser loads at once, and counts them too', async () => {
    const limited = await startDoor({
      webAppFolder: folder,
      limits: { requestsPerMinute: { perAddress: 2, overall: 1_000 } },
    });
    const status = async (path: string) => (await rawRequest(limited.url, { path })).status;
    const files: number[] = [];
    for (let at = 0; at < 21; at += 1) files.push(await status('/assets/inter-latin-wght-normal-1a2b.woff2'));
    expect(files).toEqual([...Array(20).fill(200), 429]);
    // What is not a file has its own count.
    expect([await status('/healthz'), await status('/healthz'), await status('/healthz')]).toEqual([
      200, 200, 429,
    ]);
    await limited.stop();
  });
});

describe('the page of the app', () => {
  it('is the same at every URL of the app, and allows only files from this server', async () => {
    for (const path of [
      '/',
      '/chat/1',
      '/recipes/1',
      '/code',
      '/code/1/terminal',
      '/overview',
      '/settings/about',
    ]) {
      const response = await door.fetch(path);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('<base href="/" />');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("img-src 'self' data: blob:;");
      expect(policy).toContain("connect-src 'self';");
      expect(policy).toContain("worker-src 'self';");
    }
  });

  it('is the login form until somebody has logged in', async () => {
    const response = await fetch(`${door.url}/chat/1`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('name="next" value="/chat/1"');
  });

  it.each(['', '/parley'])('has the font of the app on the login form too, under "%s"', async (basePath) => {
    const below = await startDoor({ webAppFolder: folder, basePath });
    const response = await fetch(`${below.url}${basePath}/`, { headers: { accept: 'text/html' } });
    const [style = ''] = /(?<=<style>).*(?=<\/style>)/s.exec(await response.text()) ?? [];
    const font = `${basePath}/assets/inter-latin-wght-normal-1a2b.woff2`;
    expect(style).toContain(`src: url('${font}')`);
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(
      `style-src 'sha256-${hash}'; font-src 'self';`,
    );
    const file = await fetch(below.url + font);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('font/woff2');
    expect(await file.text()).toBe('the font');
    await below.stop();
  });

  it('says so if the app is not built', async () => {
    const bare = await startDoor({ webAppFolder: join(folder, 'nothing') });
    expect(await (await bare.fetch('/')).text()).toContain('Parley is running');
    await bare.stop();
  });
});

describe('the files of the app', () => {
  it('are cached forever if their names contain a hash', async () => {
    const response = await door.fetch('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'identity' } });
    expect(await response.text()).toBe(script);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    // A worker may load its parts.
    expect(response.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self';",
    );
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    const etag = response.headers.get('etag') ?? '';
    const again = await door.fetch('/assets/app-1a2b.js', {
      headers: { 'accept-encoding': 'identity', 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    const manifest = await door.fetch('/app.webmanifest');
    expect(manifest.headers.get('cache-control')).toBe('private, max-age=3600');
  });

  it('are compressed for clients that accept it', async () => {
    const response = await door.fetch('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(await response.text()).toBe(script);
  });

  it('need a login, except for the font of the login form', async () => {
    for (const name of ['assets/app-1a2b.js', 'assets/inter-greek-wght-normal-1a2b.woff2', 'app.webmanifest'])
      expect((await fetch(`${door.url}/${name}`)).status).toBe(401);
  });

  it('are those of the build and nothing else', async () => {
    const names = ['assets/nothing.js', 'notes.txt', 'index.html', 'assets/..%2findex.html', 'assets/'];
    for (const name of names) expect((await door.fetch(`/${name}`)).status).toBe(404);
    const { status } = await rawRequest(door.url, {
      path: '/assets/../../etc/passwd',
      headers: { 'x-api-key': 'parley-test-key-for-everybody' },
    });
    expect(status).toBe(404);
  });
});

describe('under a path prefix', () => {
  it('works whether the proxy strips the prefix or not', async () => {
    const below = await startDoor({ webAppFolder: folder, basePath: '/parley' });
    for (const path of ['/parley', '/parley/', '/parley/chat/1', '/chat/1', '/parley?x=1'])
      expect(await (await below.fetch(path)).text()).toContain('<base href="/parley/" />');
    expect((await below.fetch('/parley/api/me')).status).toBe(200);
    expect((await below.fetch('/parleys/api/me')).status).toBe(404);

    const form = await fetch(`${below.url}/parley/code`, { headers: { accept: 'text/html' } });
    const html = await form.text();
    expect(html).toContain('action="/parley/login"');
    expect(html).toContain('name="next" value="/code"');
    const login = await fetch(`${below.url}/parley/login`, {
      method: 'POST',
      body: new URLSearchParams({ password: familyPassword, next: '/code' }),
      redirect: 'manual',
    });
    expect(login.headers.get('location')).toBe('/parley/code');
    await below.stop();
  });
});
