// The terminal over WebSocket: bytes in both directions, sizes as text.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { familyPassword, key, until } from '../http/door-harness.ts';
import { type CodeDoor, refusal, startCodeDoor } from './harness.ts';

let door: CodeDoor;
let id: string;
beforeAll(async () => {
  door = await startCodeDoor();
  id = await door.newSession();
});
afterAll(() => door.stop());

const path = (session: string) => `${door.url}/api/claude/sessions/${session}/terminal`;
const as = (person: string) => ({ 'x-api-key': key, 'x-notes-person': person });

class Viewer {
  readonly socket: WebSocket;
  screen = '';
  closed: { code: number; reason: string } | undefined;

  constructor(session = id, headers: Record<string, string> = as('sebastian')) {
    this.socket = new WebSocket(path(session).replace('http', 'ws'), { headers });
    this.socket.on('message', (data, isBinary) => {
      this.screen += isBinary ? (data as Buffer).toString() : `<text ${(data as Buffer).toString()}>`;
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  async sees(text: string): Promise<void> {
    await until(() => this.screen.includes(text));
  }
}

describe('a viewer of a terminal', () => {
  it('gets the backlog first, then new output [code.terminal.backlog]', async () => {
    const viewer = new Viewer();
    await viewer.sees('early');
    expect(viewer.screen).toBe('Welcome.\nearly\n');
    viewer.socket.terminate();
  });

  it('sends and receives bytes, like other viewers [code.terminal.bytes]', async () => {
    const [first, second] = [new Viewer(), new Viewer()];
    await Promise.all([first.sees('early'), second.sees('early')]);
    const bytes = Buffer.from([0x1b, 0x5b, 0x41, 0xff, 0x00, 0x0a]);
    first.socket.send(bytes, { binary: true });
    first.socket.send(Buffer.from('täg\n'), { binary: true });
    await Promise.all([first.sees('täg'), second.sees('täg')]);
    expect(Buffer.concat(door.terminals.typed).subarray(0, bytes.length)).toEqual(bytes);
    first.socket.terminate();
    second.socket.terminate();
  });

  it('changes the size by text, and nothing else by text [code.terminal.resize]', async () => {
    const viewer = new Viewer();
    await viewer.sees('early');
    const before = door.terminals.typed.length;
    for (const text of [
      'hello',
      '{"type":"resize","cols":0,"rows":1}',
      '{"type":"resize","cols":1e9,"rows":1}',
      '{"type":"resize","cols":"80","rows":24}',
      '{"type":"exec","command":"rm"}',
      '{"type":"resize","cols":100,"rows":30}',
    ])
      viewer.socket.send(text);
    await until(() => door.terminals.sizes.length > 0);
    expect(door.terminals.sizes).toEqual(['100×30']);
    expect(door.terminals.typed.length).toBe(before);
    viewer.socket.terminate();
  });

  it('leaves the terminal running when it disconnects, and can join it again', async () => {
    const viewer = new Viewer();
    await viewer.sees('early');
    viewer.socket.send(Buffer.from('still here\n'), { binary: true });
    await viewer.sees('still here');
    viewer.socket.terminate();
    await until(() => door.terminals.viewers.size === 0);
    const again = new Viewer();
    await again.sees('still here');
    again.socket.terminate();
  });

  it('is disconnected with a reason when the program ends', async () => {
    const viewer = new Viewer();
    await viewer.sees('early');
    await door.terminals.end('sebastian', id);
    await until(() => viewer.closed !== undefined);
    expect(viewer.closed).toEqual({ code: 1000, reason: 'The program ended.' });
  });

  it('is reported as behind when it does not read', async () => {
    const viewer = new Viewer();
    await viewer.sees('early');
    viewer.socket.pause();
    const chunk = Buffer.alloc(100_000, 'x');
    await until(() => door.terminals.show(chunk).includes(false));
    viewer.socket.terminate();
  });

  it('is cut off when its login ends and can no longer type', async () => {
    const login = await fetch(`${door.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: familyPassword }),
    });
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    const viewer = new Viewer(id, { cookie, 'x-notes-person': 'sebastian' });
    const other = new Viewer();
    await Promise.all([viewer, other].map(({ socket }) => once(socket, 'open')));

    await fetch(`${door.url}/logout`, { method: 'POST', headers: { cookie } });

    await until(() => viewer.closed !== undefined);
    expect(viewer.closed).toEqual({ code: 4401, reason: 'You were logged out. Log in again to continue.' });
    expect(other.closed).toBeUndefined();
    other.socket.terminate();
  });

  it("is refused without permission, and cannot find another person's session", async () => {
    const theirs = door.sessions.startedElsewhere('petra');
    const refused = new WebSocket(path(theirs).replace('http', 'ws'), { headers: as('petra') });
    const reason = await new Promise((resolve) => refused.on('close', (_, text) => resolve(text.toString())));
    expect(reason).toBe('You may not use the terminal.');
    expect((await refusal(path(id), as('petra'))).status).toBe(404);
  });
});
