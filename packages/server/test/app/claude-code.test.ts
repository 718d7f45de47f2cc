// Claude Code as a newcomer sees it: the real program in demo mode, started by the composition root.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meaningsOf, type SessionEvent } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClaudeCode, prepareClaudeCode } from '../../src/app/claude-code.ts';
import { createOutgoing } from '../../src/basics/outgoing.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type RunningDemo, startDemo } from '../../src/demo/demo.ts';
import { onlyOwnSessions } from '../../src/domain/access.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { unlimited } from '../../src/domain/spending.ts';
import type { RunningGateway } from '../../src/gateway/gateway.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { openGateway } from '../support/open-gateway.ts';

describe('Claude Code in demo mode', () => {
  let home: string;
  let demo: RunningDemo;
  let code: ClaudeCode;
  let store: SqliteStore;
  let gateway: RunningGateway;
  let list: ReturnType<ClaudeCode['openList']>;
  const person = 'sebastian';

  beforeAll(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'parley-demo-code-')));
    const environment = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      PARLEY_HOME: home,
      ANTHROPIC_AUTH_TOKEN: 'planted',
    };
    const { config } = loadConfig({ environment, flags: {}, folders: { current: home, user: home } });
    demo = await startDemo(config);
    const upstream = { apiKey: demo.apiKey, baseUrl: demo.url };
    store = await openSqliteStore({ file: ':memory:' });
    code = prepareClaudeCode({
      config,
      upstream,
      environment,
      outgoing: createOutgoing(),
      store,
      spending: unlimited,
      isShared: () => true,
      mayBypass: () => true,
      logger: silentLogger,
    });
    await code.findSandbox();
    gateway = openGateway({ store, engines: [code.engine] });
    list = code.openList({ gateway, access: onlyOwnSessions, store });
  });
  afterAll(async () => {
    await gateway.close();
    await list.sessions.close();
    await list.terminals.close();
    await code.engine.close();
    await store.close();
    await demo.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  async function ask(id: string, text: string): Promise<SessionEvent[]> {
    const { after, turnId } = await gateway.prompt({
      person,
      session: id,
      prompt: [{ type: 'text', text }],
      door: 'test',
    });
    const events: SessionEvent[] = [];
    for await (const envelope of gateway.subscribe(person, id, { after })) {
      if (envelope.turnId !== turnId) continue;
      const { event } = envelope;
      events.push(...meaningsOf(event));
      if (event.type === 'permission.asked') {
        await gateway.decide(person, id, event.id, { behavior: 'allow', scope: 'once' });
      }
      if (event.type === 'turn.ended') break;
    }
    return events;
  }

  it('works on the sample project, which the picker shows', async () => {
    const roots = await code.workFolders.listDirectories(person);
    const { folders } = await code.workFolders.listDirectories(person, roots.folders[0]?.path);
    expect(folders.map(({ name }) => name)).toEqual(['reading-list']);
    const session = await list.sessions.create(person, { workingDir: folders[0]?.path ?? '', mode: 'ui' });
    const events = await ask(session.id, 'Read README.md');
    expect(events.filter(({ type }) => type === 'tool.started')).toMatchObject([{ tool: 'Read' }]);
    expect(events.at(-1)).toMatchObject({
      type: 'turn.ended',
      outcome: 'completed',
      text: expect.stringContaining('Reading list'),
    });
    expect((await list.sessions.list(person, { limit: 5 })).sessions).toMatchObject([
      { id: session.id, status: 'active' },
    ]);
    expect((await list.sessions.list('petra', { limit: 5 })).sessions).toEqual([]);
  });
});
