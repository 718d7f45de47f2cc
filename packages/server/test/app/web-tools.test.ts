// The web and LinkedIn as a newcomer sees them: the whole server in demo mode, over its REST endpoint.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatResponse } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLinkedIn, openWeb } from '../../src/app/web-tools.ts';
import type { RunningApp } from '../../src/app.ts';
import { createOutgoing } from '../../src/basics/outgoing.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { configFolder } from '../config/config-folder.ts';
import { startServer } from '../support/whole-server.ts';

describe('the notes assistant in demo mode', () => {
  let app: RunningApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-demo-'));
    const environment = { PARLEY_DEMO: '1', PARLEY_API_KEY: headers['x-api-key'] };
    app = await startServer(folder, { environment });
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('searches the small web [notes.tools.web-search]', async () => {
    const { response } = await chat('Search the web for rye bread');

    expect(response).toMatch(
      /\[A rye bread for beginners\]\(http:\/\/127\.0\.0\.1:\d+\/cooking\/rye-bread\.html\)/,
    );
  });

  it('reads the page it found [notes.tools.web-fetch]', async () => {
    const { response } = await chat('What does the web say about Willowbrook?');

    expect(response).toContain('has had a mill on each of them since 1382');
  });

  it('reads nothing on this machine except the small web [notes.tools.web-fetch-guard]', async () => {
    const { response } = await chat(`Read ${app.url}/healthz`);

    expect(response).toContain('is not fetched');
  });

  it('posts on LinkedIn only when the next message has the code [notes.tools.linkedin-confirm] [notes.tools.linkedin-post]', async () => {
    const first = await chat('Post on LinkedIn: Our seed swap is on 21 February');
    expect(first.response).toContain('> Our seed swap is on 21 February');
    const code = /publish ([A-Z0-9]{6})/.exec(first.response)?.[1] ?? '';

    const wrong = await chat(`publish ${code}`);
    expect(wrong.response).toBe("I haven't shown you a preview with that code.");

    const second = await chat(`publish ${code}`, first.session_id);
    expect(second.response).toMatch(/^Done\. Posted to LinkedIn: urn:li:share:\d+$/);

    const comments = await chat('Read the comments on my LinkedIn post', first.session_id);
    expect(comments.response).toBe('There are no comments yet.');
  });

  it('reports who is connected', async () => {
    const response = await fetch(`${app.url}/api/linkedin`, { headers });

    expect(await response.json()).toEqual({ connected: true, expires_at: null });
  });

  async function chat(message: string, session_id?: string): Promise<ChatResponse> {
    const response = await fetch(`${app.url}/api/claude/chat`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ message, session_id }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as ChatResponse;
  }
});

describe('without demo mode', () => {
  it.each([
    [{}, [], ['web_search']],
    [{ SEARXNG_URL: 'http://127.0.0.1:8888' }, ['web_search'], []],
    [{ BRAVE_API_KEY: 'brave' }, ['web_search'], []],
    [{ BRAVE_API_KEY: 'brave', PARLEY_WEB_SEARCH: 'anthropic' }, [], ['web_search']],
    [{ SEARXNG_URL: 'http://127.0.0.1:8888', PARLEY_WEB_SEARCH: 'none' }, [], []],
  ])('%o decides what searches', async (environment, ours, theirs) => {
    const { config } = configFolder().load({ environment: { ANTHROPIC_API_KEY: 'sk-test', ...environment } });
    const web = openWeb({ config, demo: undefined, outgoing: createOutgoing(), logger: silentLogger });

    expect((await web.tools()).map(({ name }) => name)).toEqual([...ours, 'web_fetch']);
    expect(web.serverTools?.map(({ name }) => name)).toEqual(theirs);
  });

  it.each([
    [{}, {}, 'https://www.linkedin.com'],
    [{ LINKEDIN_API_ROOT: 'http://127.0.0.1:9000' }, {}, 'http://127.0.0.1:9000'],
    [
      { LINKEDIN_API_ROOT: 'http://127.0.0.1:9000' },
      { authRoot: 'http://127.0.0.1:9001' },
      'http://127.0.0.1:9001',
    ],
  ])('%o and %o decide the address of the consent page', async (environment, linkedin, site) => {
    const app = { LINKEDIN_CLIENT_ID: 'id', LINKEDIN_CLIENT_SECRET: 'secret' };
    const { config } = configFolder().load({
      environment: { ANTHROPIC_API_KEY: 'sk-test', ...app, ...environment },
      file: { linkedin },
    });
    const { connections } = openLinkedIn({
      config,
      demo: undefined,
      outgoing: createOutgoing(),
      logger: silentLogger,
    });

    expect(new URL(await connections.begin('me', 'login', 'http://localhost/back')).origin).toBe(site);
  });

  it('uses the LinkedIn accounts of the configuration', async () => {
    const { config } = configFolder().load({
      environment: { ANTHROPIC_API_KEY: 'sk-test', PARLEY_PEOPLE: 'sebastian,petra' },
      file: { linkedin: { accounts: [{ person: 'petra', accessToken: 'secret-token' }] } },
    });
    const { connections } = openLinkedIn({
      config,
      demo: undefined,
      outgoing: createOutgoing(),
      logger: silentLogger,
    });

    expect(await connections.status('petra')).toEqual({ connected: true });
    expect(await connections.status('sebastian')).toEqual({ connected: false });
    expect(JSON.stringify(config)).not.toContain('secret-token');
  });
});

const headers = { 'x-api-key': 'demo-test-key', 'x-notes-person': 'sebastian' };
