// `parley serve`: a start, its messages, and a clean stop.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshPlace, parley, silentNeighbor } from './parley-process.ts';

// Not demo mode, but nothing outside of this machine: nothing listens at this address.
const real = { ANTHROPIC_API_KEY: 'planted-anthropic-key', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };

describe('parley serve', () => {
  it('starts in demo mode without any settings, and its suggested command works', async () => {
    const { user, serve } = freshPlace(parley);
    const { url, program } = await serve();
    expect(program.stderr).toContain('demo mode');
    expect(program.stderr).toContain(join(user, '.parley', 'demo'));

    const [, address, key, person, body] =
      /curl -s (\S+) -H 'X-API-Key: (\S+)' -H 'X-Notes-Person: (\w+)' .* -d '(.*)'/.exec(program.stderr) ??
      [];
    const response = await fetch(String(address), {
      method: 'POST',
      headers: {
        'X-API-Key': String(key),
        'X-Notes-Person': String(person),
        'Content-Type': 'application/json',
      },
      body: String(body),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      success: true,
      response: expect.stringContaining('oat milk'),
    });

    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/api/claude/history`)).status).toBe(401);
    expect(await program.stop()).toMatchObject({ code: 0 });
    expect(program.stdout + program.stderr).not.toContain('Error');
    for (const line of program.stdout.trim().split('\n'))
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(program.stdout).not.toContain(String(key));
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('stops with 0 on %s', async (signal) => {
    const { program } = await freshPlace(parley).serve();
    expect(await program.stop(signal)).toMatchObject({ code: 0 });
  });

  it.skipIf(!('enableCompileCache' in nodeModule))(
    'keeps compiled code in a private folder of a home that exists',
    async () => {
      const { user, serve } = freshPlace(parley);
      const folder = join(user, '.parley', 'compile-cache');
      await (await serve()).program.stop();
      expect(existsSync(folder)).toBe(false);
      await (await serve()).program.stop();
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(
        readdirSync(folder, { recursive: true, withFileTypes: true }).some((file) => file.isFile()),
      ).toBe(true);
    },
  );

  it('shows a new key once, stores its hash, and accepts it from then on', async () => {
    const { user, serve } = freshPlace(parley);
    const first = await serve([], real);
    const [, key = ''] = /API key +(pk_\S+)/.exec(first.program.stderr) ?? [];
    await first.program.stop();
    const second = await serve([], real);
    expect(second.program.stderr).not.toContain('pk_');
    const response = await fetch(`${second.url}/api/claude/history?session_id=none`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(response.status).not.toBe(401);
    await second.program.stop();
    const home = join(user, '.parley');
    const entries = readdirSync(home, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile()))
      expect(readFileSync(join(entry.parentPath, entry.name)).includes(key)).toBe(false);
    expect(second.program.stdout + second.program.stderr + first.program.stdout).not.toContain('planted');
  });

  it("doesn't show a configured key", async () => {
    const { program } = await freshPlace(parley).serve([], { PARLEY_API_KEY: 'planted-key' });
    await program.stop();
    expect(program.stdout + program.stderr).not.toContain('planted-key');
    expect(program.stderr).toContain('"X-API-Key: $PARLEY_API_KEY"');
  });

  it('refuses a configuration with problems and lists them all', async () => {
    const { user, run } = freshPlace(parley);
    writeFileSync(join(user, 'parley.config.json'), '{"prot": 1, "limits": {"queuedPrompts": 0}}');
    const { code, stdout, stderr } = await run([], { PARLEY_PORT: 'x' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The configuration has 3 problems:\n/);
    for (const key of ['prot', 'limits.queuedPrompts', 'port']) expect(stderr).toContain(`  ${key} (`);
    expect(stderr).toMatch(/\n\nParley did not start\.\n$/);
  });

  it('refuses to listen on the network without a secret', async () => {
    const { code, stderr } = await freshPlace(parley).run(['--host', '0.0.0.0', '--port', '0']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'host (--host): other machines could reach Parley at 0.0.0.0, but no API key or password is configured',
    );
  });

  it('says what uses the port and what to do', async () => {
    const { serve, run } = freshPlace(parley);
    const taken = await silentNeighbor();
    expect(await run(['--port', String(taken)])).toMatchObject({
      code: 1,
      stderr: `Parley did not start: another program is using port ${taken}. Stop it, or use --port ${taken + 1}.\n`,
    });
    const { port } = new URL((await serve()).url);
    expect(await run(['--port', port])).toMatchObject({
      code: 1,
      stderr: `Parley did not start: another Parley is already running on port ${port}. Use that one, stop it, or use --port ${Number(port) + 1}.\n`,
    });
  });

  it("doesn't share its data with a second server, and frees it even after a crash", async () => {
    const { user, serve, run } = freshPlace(parley);
    const { program } = await serve();
    expect(await run(['--port', '0'])).toMatchObject({
      code: 1,
      stderr: `Parley did not start: Another Parley is already using the data in ${join(user, '.parley', 'demo')}. Use that one, stop it, or start this one with another --home.\n`,
    });
    await program.stop('SIGKILL');
    expect(await (await serve()).program.stop()).toMatchObject({ code: 0 });
  });

  it('says that an address does not belong to this machine', async () => {
    const env = { PARLEY_HOST: '203.0.113.7', PARLEY_API_KEY: 'a-long-enough-key' };
    expect(await freshPlace(parley).run(['--port', '0'], env)).toMatchObject({
      code: 1,
      stderr:
        'Parley did not start: 203.0.113.7 is not an address of this machine. Set PARLEY_HOST to one of its addresses, such as 127.0.0.1.\n',
    });
  });

  it('says why its home is not usable', async () => {
    const { user, run } = freshPlace(parley);
    writeFileSync(join(user, 'a-file'), '');
    const { code, stderr } = await run(['--port', '0', '--home', 'a-file']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Parley did not start: ${join(user, 'a-file', 'demo')} is not a usable folder. Set PARLEY_HOME to a folder that you own.\n`,
    );
    expect((await run(['--port', '0', '--home', '/proc/parley'])).stderr).toBe(
      'Parley did not start: it has no permission to write to /proc/parley. Set PARLEY_HOME to a folder that you own.\n',
    );
    mkdirSync(join(user, '.parley', 'demo'), { recursive: true });
    writeFileSync(join(user, '.parley', 'demo', 'credentials.json'), '{');
    expect((await run(['--port', '0'])).stderr).toContain('credentials.json is damaged. Delete it');
  });
});
