// The whole server behind a proxy: every service has a name that only the proxy knows, so that nothing works without it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  callTool,
  type ProxyStandIn,
  reply,
  startAnthropicStandIn,
  startDiscordStandIn,
  startLinkedInStandIn,
  startProxyStandIn,
  startTelegramStandIn,
  startWebSiteStandIn,
} from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { prepareClaudeCode } from '../../src/app/claude-code.ts';
import { createOutgoing } from '../../src/basics/outgoing.ts';
import { loadConfig } from '../../src/config/load.ts';
import { onlyOwnSessions } from '../../src/domain/access.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { unlimited } from '../../src/domain/spending.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { openGateway } from '../support/open-gateway.ts';
import { startServer } from '../support/whole-server.ts';
import { startForgetful } from '../tools/mcp/http-server.ts';

const key = 'a-key-for-this-test';
const patience = { timeout: 60_000, interval: 50 };

describe('behind a proxy', () => {
  const closing: (() => unknown)[] = [];
  let folder: string;
  let proxy: ProxyStandIn;
  let model: Awaited<ReturnType<typeof startAnthropicStandIn>>;
  let linkedIn: Awaited<ReturnType<typeof startLinkedInStandIn>>;
  let routes: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-proxy-'));
    model = await startAnthropicStandIn();
    linkedIn = await startLinkedInStandIn();
    linkedIn.addToken('token', { id: 'petra', name: 'Petra' });
    const site = await startWebSiteStandIn();
    closing.push(
      () => model.close(),
      () => linkedIn.close(),
      () => site.close(),
    );
    routes = {
      // Plain http for the model, because the program trusts no certificate of ours.
      'model.test:80': model.url,
      'linkedin.test:443': linkedIn.url,
      'pages.test:443': site.url,
      'pages.test:80': site.url,
    };
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const openProxy = async () => {
    proxy = await startProxyStandIn({ routes });
    closing.push(() => proxy.close());
    return proxy.url;
  };
  /** How often the proxy was asked for a host. */
  const asked = (host: string) =>
    proxy.asked.filter((line) => line.includes(`${host}:`) || line.includes(`//${host}/`)).length;

  it('reaches the model, bots, pages, LinkedIn and MCP servers [notes.network.proxy]', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.stubEnv('HOME', folder);
    const discord = await startDiscordStandIn({ gatewayUrl: 'wss://gateway.test' });
    const telegram = await startTelegramStandIn();
    const mcp = await startForgetful();
    onTestFinished(() => Promise.all([discord.close(), telegram.close()]).then(() => undefined));
    Object.assign(routes, {
      'discord.test:443': discord.url,
      'gateway.test:443': discord.url,
      'telegram.test:443': telegram.url,
      'mcp.test:443': mcp.url,
    });
    const app = await startServer(folder, {
      settings: {
        people: ['petra'],
        mcpServers: { far: { url: 'https://mcp.test/mcp' } },
        assistants: [
          { name: 'notes', label: 'Notes', systemPrompt: 'Help.', tools: ['far', 'web', 'linkedin'] },
        ],
        linkedin: {
          apiRoot: 'https://linkedin.test',
          accounts: [{ person: 'petra', accessToken: 'token' }],
        },
        claude: { warmProcesses: 0 },
      },
      environment: {
        PARLEY_HOME: join(folder, 'home'),
        PARLEY_API_KEY: key,
        ANTHROPIC_API_KEY: 'sk-test',
        ANTHROPIC_BASE_URL: 'http://model.test',
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: 'https://telegram.test',
        DISCORD_BOT_TOKEN: discord.token,
        DISCORD_API_ROOT: 'https://discord.test/api',
        ALL_PROXY: await openProxy(),
      },
    });
    onTestFinished(async () => {
      await app.close();
      vi.unstubAllEnvs();
    });

    model.enqueue(
      reply(
        callTool('web_fetch', { url: 'https://pages.test/gardening/tomatoes.html' }),
        callTool('web_fetch', { url: 'http://pages.test/gardening/compost.html' }),
        callTool('linkedin_read_comments', { post_urn: 'urn:li:share:7012345678901234567' }),
        callTool('count', { by: 1 }),
      ),
      reply('Done.'),
    );
    const answer = await fetch(`${app.url}/api/claude/chat`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Look around', user_id: 'petra' }),
    });

    expect(await answer.json()).toMatchObject({ success: true, response: 'Done.' });
    const results = JSON.stringify(model.conversations.at(-1)?.body.messages.at(-1));
    expect(results).toContain('Growing tomatoes in a cool summer');
    expect(results).toContain('Compost that works');
    expect(results).toContain('LinkedIn has no such post');
    for (const host of ['model.test', 'pages.test', 'linkedin.test', 'mcp.test']) {
      expect([host, asked(host)]).toEqual([host, expect.toSatisfy((count: number) => count > 0)]);
    }
    expect(proxy.asked).toContain('GET http://pages.test/gardening/compost.html');

    await vi.waitUntil(() => discord.gateway.connected === 1, patience);
    await vi.waitUntil(() => telegram.calls.some(({ method }) => method === 'getUpdates'), patience);
    expect(asked('telegram.test')).toBeGreaterThan(0);
    expect(asked('discord.test')).toBeGreaterThan(0);
    expect(asked('gateway.test')).toBe(1);

    discord.gateway.drop();
    await vi.waitUntil(() => discord.gateway.resumes === 1, patience);
    expect(asked('gateway.test')).toBe(2);
  });

  it('runs the claude program [notes.network.proxy]', async () => {
    const work = await mkdtemp(join(folder, 'work-'));
    const environment = { PATH: process.env['PATH'], HOME: join(folder, 'program'), PARLEY_HOME: folder };
    const { config } = loadConfig({
      environment: { ...environment, PARLEY_DEMO: '0', PARLEY_WORK_ROOTS: work },
      flags: {},
      folders: { user: folder, current: join(folder, 'nowhere') },
    });
    const store = await openSqliteStore({ file: ':memory:' });
    const code = prepareClaudeCode({
      config,
      upstream: { apiKey: 'sk-ant-test', baseUrl: 'http://model.test' },
      environment: { ...environment, ...(process.getuid?.() === 0 && { IS_SANDBOX: '1' }) },
      outgoing: createOutgoing({ all: await openProxy() }),
      store,
      spending: unlimited,
      isShared: () => true,
      mayBypass: () => true,
      logger: silentLogger,
    });
    await code.findSandbox();
    const gateway = openGateway({ store, engines: [code.engine] });
    const list = code.openList({ gateway, access: onlyOwnSessions, store });
    closing.push(
      () => store.close(),
      () => code.engine.close(),
      () => list.terminals.close(),
      () => list.sessions.close(),
      () => gateway.close(),
    );
    model.enqueue().always(reply('Hello through the proxy.'));
    const session = await list.sessions.create('me', { workingDir: work, mode: 'ui' });
    const { after, turnId } = await gateway.prompt({
      person: 'me',
      session: session.id,
      prompt: [{ type: 'text', text: 'Hello' }],
      door: 'test',
    });
    let end: unknown;
    for await (const envelope of gateway.subscribe('me', session.id, { after })) {
      if (envelope.turnId !== turnId || envelope.event.type !== 'turn.ended') continue;
      end = envelope.event;
      break;
    }
    expect(end).toMatchObject({ outcome: 'completed', text: 'Hello through the proxy.' });
    expect(asked('model.test')).toBeGreaterThan(0);
  });
});
