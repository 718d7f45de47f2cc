// Files over HTTP: reading and saving as JSON, downloads and uploads as bytes.
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FilePlace } from '../../../src/domain/files.ts';
import { createPlaceFiles } from '../../../src/folders/place-files.ts';
import { png } from '../../support/images.ts';
import { type DoorHarness, startDoor } from './door-harness.ts';

let root: string;
let door: DoorHarness;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'parley-files-')));
  const place: FilePlace = { root, hidden: [], kind: 'notes' };
  door = await startDoor({
    files: {
      files: createPlaceFiles({ limits: { writeBytes: 1_000 } }),
      places: {
        ofNotes: async () => place,
        ofSession: async () => ({ ...place, person: 'sebastian' }),
      },
    },
  });
});
afterAll(async () => {
  await door.stop();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  await writeFile(join(root, 'note.md'), '# Note\n');
});

const base = '/api/notes/files';
const json = async (response: Promise<Response>) =>
  (await (await response).json()) as Record<string, unknown>;

describe('files over HTTP', () => {
  it('lists, reads and finds [app.files.list.pages] [app.files.search.names] [app.files.search.content]', async () => {
    expect(await json(door.fetch(base))).toMatchObject({
      entries: [{ name: 'note.md', kind: 'file' }],
      total: 1,
    });
    expect(await json(door.fetch(`${base}/content?path=note.md`))).toMatchObject({
      kind: 'text',
      text: '# Note\n',
    });
    expect(await json(door.fetch(`${base}/search?q=note`))).toEqual({
      matches: [{ path: 'note.md', folder: false }],
      truncated: false,
    });
    expect(await json(door.fetch(`${base}/search?q=Note&in=content`))).toEqual({
      matches: [{ path: 'note.md', line: 1, text: '# Note' }],
      truncated: false,
    });
  });

  it('saves the version that was read, and answers another one with 409 [app.files.save.conflict]', async () => {
    const save = (text: string, version: unknown) =>
      door.fetch(`${base}/content`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ path: 'note.md', text, version }),
      });
    const { version } = await json(door.fetch(`${base}/content?path=note.md`));
    expect((await save('mine', version)).status).toBe(200);
    const late = await save('too late', version);
    expect([late.status, await late.json()]).toMatchObject([409, { error: { code: 'conflict' } }]);
    expect((await save('new', null)).status).toBe(409);
    expect(await readFile(join(root, 'note.md'), 'utf8')).toBe('mine');
  });

  it('sends a download that no browser shows, whatever is in it [app.files.download]', async () => {
    await writeFile(join(root, 'evil "\'ü.html'), '<script>alert(1)</script>');
    await writeFile(join(root, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const page = await door.fetch(`${base}/raw?path=${encodeURIComponent('evil "\'ü.html')}`);
    expect(page.headers.get('content-type')).toBe('application/octet-stream');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(page.headers.get('content-disposition')).toBe(
      `attachment; filename="evil_.html"; filename*=UTF-8''evil%20%22%27%C3%BC.html`,
    );
    expect(await page.text()).toBe('<script>alert(1)</script>');
    const drawing = await door.fetch(`${base}/raw?path=drawing.svg`);
    expect(drawing.headers.get('content-type')).toBe('application/octet-stream');
  });

  it('sends an image with its type, by its bytes [app.files.download] [app.files.read.kind]', async () => {
    const bytes = Buffer.from(png(3, 3).data, 'base64');
    await writeFile(join(root, 'picture.dat'), bytes);
    const picture = await door.fetch(`${base}/raw?path=picture.dat`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(bytes);
  });

  it('sends a range, and refuses one that is not there [app.files.download]', async () => {
    const part = async (range: string) => {
      const response = await door.fetch(`${base}/raw?path=note.md`, { headers: { range } });
      return [response.status, response.headers.get('content-range'), await response.text()];
    };
    expect(await part('bytes=2-3')).toEqual([206, 'bytes 2-3/7', 'No']);
    expect(await part('bytes=4-')).toEqual([206, 'bytes 4-6/7', 'te\n']);
    expect(await part('bytes=-3')).toEqual([206, 'bytes 4-6/7', 'te\n']);
    expect(await part('bytes=7-9')).toEqual([416, 'bytes */7', '']);
    expect(await part('bytes=0-1,3-4')).toEqual([200, null, '# Note\n']);
  });

  it('sends an empty file [app.files.download]', async () => {
    await writeFile(join(root, 'empty'), '');
    const response = await door.fetch(`${base}/raw?path=empty`);
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('takes an upload as it is, and replaces only on demand [app.files.upload]', async () => {
    const upload = (query: string, bytes: Uint8Array<ArrayBuffer>) =>
      door.fetch(`${base}/raw?path=up/data.bin${query}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: new Blob([bytes]),
      });
    const bytes = new Uint8Array([0, 255, 13, 10]);
    expect((await upload('', bytes)).status).toBe(200);
    expect(new Uint8Array(await readFile(join(root, 'up/data.bin')))).toEqual(bytes);
    expect((await upload('', new Uint8Array([1]))).status).toBe(409);
    expect((await upload('&replace=true', new Uint8Array([1]))).status).toBe(200);
    expect((await upload('&replace=true', new Uint8Array(1_001))).status).toBe(413);
    expect([...(await readFile(join(root, 'up/data.bin')))]).toEqual([1]);
  });

  it('takes bytes nowhere else [app.files.upload]', async () => {
    const response = await door.fetch(`${base}/content`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Blob(['x']),
    });
    expect(response.status).toBe(415);
  });
});
