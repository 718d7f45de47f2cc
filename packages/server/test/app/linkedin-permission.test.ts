// Posting on LinkedIn through the gateway: a permission where the door can ask, a preview where it can't.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision } from '@parley/protocol';
import { callTool, noFallback, reply, startAnthropicStandIn, startLinkedInStandIn } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notes } from '../../src/assistants/notes.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { createMessagesApiEngine } from '../../src/engines/messages-api/engine.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { createLinkedIn } from '../../src/tools/linkedin/source.ts';
import { createGuardedFetch } from '../../src/tools/web/guarded-fetch.ts';
import { openGateway } from '../support/open-gateway.ts';

describe('a post on LinkedIn', () => {
  it('waits for a new permission each time through a door that can ask [notes.tools.linkedin-confirm]', async () => {
    const house = await start();
    house.post('One');
    house.post('Two');

    const first = await house.prompt('Post one', 'browser', { behavior: 'allow', scope: 'session' });
    expect(first.asked).toEqual(['Publish a public post on LinkedIn: One']);
    const second = await house.prompt('Post two', 'telegram', { behavior: 'deny' });

    expect(second.asked).toEqual(['Publish a public post on LinkedIn: Two']);
    expect(house.published()).toEqual(['One']);
  });

  it("is only previewed through a door that can't ask [notes.tools.linkedin-confirm]", async () => {
    const house = await start();
    house.post('One');

    const { asked } = await house.prompt('Post one', 'programs', { behavior: 'allow', scope: 'once' });

    expect(asked).toEqual([]);
    expect(house.published()).toEqual([]);
    expect(JSON.stringify(house.lastRequest())).toContain('Nothing is published yet.');
  });

  it('is not published if the turn ends before anybody decides [notes.tools.linkedin-confirm]', async () => {
    const house = await start();
    house.post('One');

    await house.prompt('Post one', 'browser', 'interrupt');

    expect(house.published()).toEqual([]);
  });
});

async function start() {
  const api = await startAnthropicStandIn({ fallback: noFallback });
  const remote = await startLinkedInStandIn();
  const folder = await mkdtemp(join(tmpdir(), 'parley-linkedin-gateway-'));
  remote.addToken('token', { id: 'petra', name: 'Petra' });
  const linkedIn = createLinkedIn({
    folder,
    accounts: [{ person: 'petra', accessToken: 'token' }],
    apiRoot: remote.url,
    authRoot: remote.url,
    version: '202606',
    confirm: true,
    http: createGuardedFetch({ exceptions: [remote.host] }),
  });

  const engine = createMessagesApiEngine({
    apiKey: 'key',
    baseUrl: api.url,
    model: 'claude-sonnet-5-5',
    assistants: new Map([[notes.name, notes]]),
    toolSources: new Map([[linkedIn.name, linkedIn]]),
    clock: systemClock,
  });
  const store = await openSqliteStore({ file: ':memory:' });
  const gateway = openGateway({ store, engines: [engine] });
  onTestFinished(async () => {
    await gateway.close();
    await store.close();
    await Promise.all([api.close(), remote.close(), rm(folder, { recursive: true, force: true })]);
  });
  const session = await gateway.createSession('petra', { engine: 'messages-api', assistant: 'notes' });

  /** Settles every permission until the turn ends. */
  async function prompt(text: string, door: string, decision: Decision | 'interrupt') {
    const { turnId, after } = await gateway.prompt({
      person: 'petra',
      session: session.id,
      prompt: [{ type: 'text', text }],
      door,
      ...(door === 'programs' && { canAsk: false }),
    });
    const asked: (string | undefined)[] = [];
    const events = gateway.subscribe('petra', session.id, { after });
    for await (const { event, turnId: of } of events) {
      if (event.type === 'turn.ended' && of === turnId) break;
      if (event.type !== 'permission.asked') continue;
      asked.push(event.request.description);
      if (decision === 'interrupt') void gateway.interrupt('petra', session.id);
      else await gateway.decide('petra', session.id, event.id, decision);
    }
    return { asked };
  }

  return {
    prompt,
    /** The model posts this text and then says that it is done. */
    post: (text: string) => api.enqueue(reply(callTool('linkedin_post', { text })), reply('Done.')),
    published: () => remote.posts.map(({ commentary }) => commentary),
    lastRequest: () => api.conversations.at(-1)?.body,
  };
}
