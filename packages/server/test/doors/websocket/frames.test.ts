// Frames on their way to pages: verbatim, in order, with no gap and no double.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeDoor, startCodeDoor } from './harness.ts';

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor();
});
afterAll(() => door.stop());

describe('a page', () => {
  it('is greeted, then gets every frame of a turn byte for byte [code.ws.connected] [code.ws.text] [code.proxy.verbatim]', async () => {
    const id = await door.newSession();
    const page = await door.open(id);
    page.prompt('say 3');
    await page.turnsEnded();
    expect(page.frames).toEqual(door.engine.sent.get(id));
  });
});
