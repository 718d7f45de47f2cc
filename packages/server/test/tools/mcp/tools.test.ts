// How the tools of MCP servers behave in Parley: lists, names, time-outs, interrupts, environment.
import { describe, expect, it, vi } from 'vitest';
import { McpHarness, odd, patience, server } from './harness.ts';

describe('the tools of an MCP server', () => {
  it('are listed from all pages, without invalid ones, even after a greeting on stdout', async () => {
    const harness = new McpHarness([server('odd', odd('--greeting', '--tools', 'a.b,c d'))]);
    expect(await harness.names('odd')).toEqual(
      'say pids environment hang die refuse fail flood grow a_b c_d'.split(' '),
    );
    expect(await harness.text('odd', 'a_b')).toBe('this is a.b');
  });

  it('have schemas that the API accepts; the log names the tools that cannot be offered', async () => {
    const schemas = {
      say: {
        properties: { text: { type: 'string' } },
        anyOf: [{ required: ['text'] }, { required: ['words'] }],
      },
      fail: { properties: { 'with spaces': { type: 'string' } } },
    };
    const harness = new McpHarness([server('odd', odd('--schemas', JSON.stringify(schemas)))]);
    const tools = await harness.list('odd');
    expect(tools.find(({ name }) => name === 'say')).toMatchObject({
      description:
        'Does say.\n\nThe input must also match {"anyOf":[{"required":["text"]},{"required":["words"]}]}',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    });
    expect(tools.map(({ name }) => name)).not.toContain('fail');
    expect(harness.log.filter(({ level }) => level === 'warn')).toMatchObject([
      { skipped: expect.arrayContaining(['fail', 'no schema', 'a tool without a name']) },
    ]);
  });

  it('are listed again when the server says that they changed', async () => {
    const harness = new McpHarness([server('odd', odd())]);
    await harness.text('odd', 'grow');
    await vi.waitUntil(async () => (await harness.names('odd')).includes('grown'), patience);
    expect(await harness.text('odd', 'grown')).toBe('I am new.');
  });

  it('get the name of the server as a prefix when names clash, and reach the right server', async () => {
    const harness = new McpHarness(
      [
        server('one', odd('--tools', 'mine,read_file')),
        server('two', odd('--tools', 'yours')),
        server('far', odd()),
      ],
      { usedTogether: [['one', 'two', 'vault']], reservedNames: ['read_file'] },
    );
    const [one, two] = await Promise.all([harness.names('one'), harness.names('two')]);
    expect(one).toEqual(expect.arrayContaining(['one__say', 'mine', 'one__read_file']));
    expect(two).toEqual(expect.arrayContaining(['two__say', 'yours']));
    expect(harness.status('far').state).toBe('idle');
    expect(await harness.names('far')).toContain('say');
    const pids = await Promise.all([harness.text('one', 'one__pids'), harness.text('two', 'two__pids')]);
    expect(new Set(pids).size).toBe(2);
    expect(harness.status('one').tools).toEqual(one);
  });

  it('fail with a sentence when they take too long, and the server keeps running', async () => {
    const harness = new McpHarness([server('odd', odd(), 1_500)]);
    expect((await harness.list('odd'))[0]?.timeoutMs).toBe(1_500);
    expect(await harness.call('odd', 'hang')).toEqual({
      failed: true,
      content: expect.stringContaining('hang did not answer in time'),
    });
    expect(await harness.text('odd', 'say', { text: 'still here' })).toBe('still here');
  });

  it('stop when the turn is interrupted', async () => {
    const harness = new McpHarness([server('odd', odd())]);
    const call = await harness.begin('odd', 'hang');
    call.abort();
    await expect(call.result).rejects.toThrow(/abort/i);
    expect(await harness.text('odd', 'say', { text: 'still here' })).toBe('still here');
  });

  it('fail with what the server says', async () => {
    const harness = new McpHarness([server('odd', odd())]);
    expect(await harness.call('odd', 'refuse')).toEqual({ failed: true, content: 'The moon is too full.' });
    expect(await harness.call('odd', 'fail')).toEqual({ failed: true, content: 'It did not work out.' });
  });

  it('get an environment from a list, without variables that make programs load foreign code', async () => {
    const environment = {
      PATH: process.env['PATH'],
      HOME: '/home/anna',
      ANTHROPIC_API_KEY: 'a-planted-secret',
      NODE_OPTIONS: '--no-warnings',
      LD_PRELOAD: '/tmp/evil.so',
    };
    const settings = { ...odd(), env: { KITCHEN: 'open' } };
    const harness = new McpHarness([server('odd', settings)], { environment });
    const seen = JSON.parse(await harness.text('odd', 'environment')) as Record<string, string>;
    expect(seen).toMatchObject({ PATH: environment.PATH, HOME: '/home/anna', KITCHEN: 'open' });
    expect(Object.keys(seen)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/ANTHROPIC|NODE_OPTIONS|LD_PRELOAD/)]),
    );

    const unsafe = { ...odd(), env: { LD_PRELOAD: '/tmp/evil.so' } };
    const refused = new McpHarness([server('odd', unsafe)], { limits: { firstPauseMs: 60_000 } });
    expect(await refused.list('odd')).toEqual([]);
    expect(refused.status('odd').lastError).toContain('LD_PRELOAD cannot be set');
  });
});
