// Two whole servers on one PostgreSQL, in demo mode, as a proxy in front of them would use them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatResponse, Envelope } from '@parley/protocol';
import { createGate, noFallback, reply, say, startAnthropicStandIn, wait } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStores } from '../../src/app/stores.ts';
import type { RunningApp } from '../../src/app.ts';
import { servers } from '../../src/cli/checks/servers.ts';
import { examine } from '../../src/cli/doctor.ts';
import { settingsFile } from '../../src/config/files.ts';
import { LiveConfig } from '../../src/config/live-config.ts';
import type { LoadedConfig } from '../../src/config/resolve.ts';
import type { Config } from '../../src/config/schema.ts';
import type { SettingsStore } from '../../src/domain/app-settings.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { headers, Notifications, useSeveralApps } from '../support/several-apps.ts';

const { configure, start, startWith, stop, clientOf } = useSeveralApps();
const patience = { timeout: 100_000 };
/** Not in demo mode. */
const real = { PARLEY_DEMO: '', PARLEY_PEOPLE: 'sebastian', ANTHROPIC_API_KEY: 'stand-in-key' };

async function chat(app: RunningApp, message: string, session?: string): Promise<ChatResponse> {
  const body = JSON.stringify({ message, ...(session !== undefined && { session_id: session }) });
  const response = await fetch(`${app.url}/api/claude/chat`, { method: 'POST', headers, body });
  return (await response.json()) as ChatResponse;
}

describe('two servers on one database', () => {
  it('answer in the same conversation, and show the same events [cluster.any-server.app]', async () => {
    const [a, b] = [await start(), await start()];
    const [throughA, throughB] = [clientOf(a), clientOf(b)];
    const first = await chat(a, 'Hello');
    expect(first.success).toBe(true);
    const id = first.session_id;
    // A reader keeps the session on the first server.
    const seen: Envelope[] = [];
    const reader = new AbortController();
    const reading = (async () => {
      for await (const one of throughA.subscribe(id, { after: 0, signal: reader.signal })) seen.push(one);
    })();
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), patience);
    const second = await chat(b, 'Hello again', id);
    expect(second).toMatchObject({ success: true, session_id: id });
    expect(second.history).toHaveLength(4);
    const receipt = await throughB.sessions.prompt(id, { text: 'And again', images: [] }, { key: 'third' });
    await vi.waitFor(
      () =>
        expect(seen.some((one) => one.turnId === receipt.turnId && one.event.type === 'turn.ended')).toBe(
          true,
        ),
      patience,
    );
    reader.abort();
    await reading;
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
    const list = await throughB.sessions.list();
    expect(list.sessions.map((session) => session.id)).toContain(id);
    const metrics = await (await fetch(`${b.url}/metrics`, { headers })).text();
    expect(metrics).toMatch(/parley_forwarded_calls_total\{call="prompt"\} [1-9]/);
    expect(metrics).toMatch(/parley_servers 2/);
    const ofA = await (await fetch(`${a.url}/metrics`, { headers })).text();
    expect(ofA).toMatch(/parley_lease_age_seconds \d/);
    expect(ofA + metrics).toMatch(/parley_forwarded_event_lag_seconds_count [1-9]/);
  }, 180_000);

  it('hand over sessions and readers when one of them stops [cluster.drain.app]', async () => {
    const [a, b] = [await start(), await start()];
    expect((await fetch(`${a.url}/readyz`)).status).toBe(200);
    const { session_id: id } = await chat(a, 'Hello');
    const seen: Envelope[] = [];
    const reader = new AbortController();
    const reading = (async () => {
      for await (const one of clientOf(b).subscribe(id, { after: 0, signal: reader.signal })) seen.push(one);
    })();
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), patience);
    await stop(a);
    expect((await chat(b, 'Still there?', id)).history).toHaveLength(4);
    await vi.waitFor(
      () => expect(seen.filter(({ event }) => event.type === 'turn.ended')).toHaveLength(2),
      patience,
    );
    reader.abort();
    await reading;
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  }, 180_000);

  it('show and resume each other’s notifications [cluster.notifications]', async () => {
    const [a, b] = [await start(), await start()];
    const throughA = new Notifications(a.url);
    await vi.waitFor(() => expect(throughA.lastId).not.toBe(''), patience);
    const { session_id: first } = await chat(b, 'Hello');
    await vi.waitFor(() => expect(throughA.names).toEqual([`turn-ended ${first}`]), patience);
    const { lastId } = throughA;
    throughA.close();
    const { session_id: second } = await chat(a, 'Hello');
    // B must have heard of it before anybody can resume there.
    const live = new Notifications(b.url);
    await vi.waitFor(() => expect(live.lastId).not.toBe(''), patience);
    const { session_id: third } = await chat(a, 'Hello');
    await vi.waitFor(() => expect(live.names).toContain(`turn-ended ${third}`), patience);
    const resumed = new Notifications(b.url, lastId);
    await vi.waitFor(
      () => expect(resumed.names).toEqual([`turn-ended ${second}`, `turn-ended ${third}`]),
      patience,
    );
    for (const one of [live, resumed]) one.close();
  }, 180_000);

  it('are checked by the doctor [cluster.doctor.servers]', async () => {
    const notes = join((await configure()).home, 'notes');
    const shared = { ...real, PARLEY_VAULT_ROOT: notes };
    const own = await configure(shared);
    const ownApp = await startWith(own);
    const others = [await start(shared), await start({ PARLEY_SERVER_URL: 'http://127.0.0.1:9' })];
    const found = async (config: Config) => {
      const check = servers(async () => {
        const stores = await openStores(config);
        return stores.shared && { servers: stores.shared.registry, close: () => stores.close() };
      });
      const findings = await examine({ config } as LoadedConfig, [check]);
      return findings.map(({ detail }) => detail.replaceAll(/\S+-[0-9a-f]{8}/g, 'M'));
    };
    // The third can't be reached by anybody, and has other notes.
    expect((await found(own.config)).sort()).toEqual(
      [
        'the clocks of this machine and the database agree',
        `M answers at ${others[0]?.url}`,
        'M reaches this server',
        "M can't reach M",
        'the clocks of M and the database agree',
        'M has the same notes',
        "M can't be reached at http://127.0.0.1:9",
      ].sort(),
    );
    const stranger = await configure({ PARLEY_CLUSTER_SECRET: 'a long secret of others' });
    expect((await found(stranger.config)).filter((detail) => detail.includes('refuses'))).toHaveLength(2);
    const withOtherNotes = await configure();
    expect(await found(withOtherNotes.config)).toContain('M does not have the same notes as this server');
    const asked = await fetch(`${ownApp.url}/api/servers?machine=x`, { headers });
    expect(asked.status).toBe(403);
  }, 180_000);

  it('say that they stop before they do, and answer until then [cluster.drain.readyz]', async () => {
    const anthropic = await startAnthropicStandIn({ fallback: noFallback });
    onTestFinished(() => anthropic.close());
    const gate = createGate();
    anthropic.script(() => true).always(() => reply(wait(gate.opened), say('At last.')));
    const scripted = { ...real, ANTHROPIC_BASE_URL: anthropic.url };
    const [a, b] = [await start(scripted), await start(scripted)];
    const answer = chat(a, 'Hello');
    await vi.waitFor(() => expect(anthropic.requests.length).toBeGreaterThan(0), patience);
    const stopped = stop(a);
    await vi.waitFor(async () => expect((await fetch(`${a.url}/readyz`)).status).toBe(503), patience);
    expect((await fetch(`${a.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${b.url}/readyz`)).status).toBe(200);
    gate.open();
    expect(await answer).toMatchObject({ success: true, response: 'At last.' });
    await stopped;
    const metrics = await (await fetch(`${b.url}/metrics`, { headers })).text();
    expect(metrics).toMatch(/parley_servers 1/);
  }, 180_000);

  it('have the same settings, wherever somebody changes them [cluster.settings.shared]', async () => {
    const live = async (settings: SettingsStore | undefined) => {
      const { loaded } = await configure();
      const one = new LiveConfig(loaded, { learnSecrets: () => undefined, logger: silentLogger });
      if (settings) await one.share(settings);
      return one;
    };
    const stores = await openStores((await configure()).config);
    onTestFinished(() => stores.close());
    const shared = stores.settings;
    const [a, b] = [await live(shared), await live(shared)];
    const applied: string[] = [];
    b.onChange(({ model }) => void applied.push(model));
    await a.change([{ key: 'model', value: 'model-of-a', revision: 0 }]);
    // It has not heard of the change yet.
    const late = b.change([{ key: 'model', value: 'model-of-b', revision: 0 }]);
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect([b.current.model, applied]).toEqual(['model-of-a', ['model-of-a']]);
    await b.change([{ key: 'caution', value: 'strict', revision: 0 }]);
    await a.change([{ key: 'log.level', value: 'warn', revision: 0 }]);
    expect(a.current.caution).toBe('strict');
    expect((await live(shared)).current).toMatchObject({ model: 'model-of-a', caution: 'strict' });
    expect(JSON.parse(await readFile(settingsFile(a.current), 'utf8'))).toMatchObject({ revision: 3 });
  }, 60_000);

  it('need a secret and an address [cluster.secret.missing]', async () => {
    await start({ PARLEY_CLUSTER_SECRET: '', PARLEY_SERVER_URL: '' });
    await expect(start()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('PARLEY_CLUSTER_SECRET'),
    });
  }, 180_000);
});
