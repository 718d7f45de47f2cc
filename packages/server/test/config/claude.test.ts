// The settings of Claude Code: where it may work, and who owns its sessions.
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFolder } from './config-folder.ts';

describe('the settings of Claude Code', () => {
  it("allow no working directory until one is configured, except the demo's sample project", () => {
    const { user, load } = configFolder();
    const demo = load({});
    expect(demo.config.workRoots).toEqual([{ path: join(user, '.parley', 'demo', 'projects') }]);
    expect(demo.origins.get('workRoots')).toEqual({ from: 'demo' });
    expect(demo.config.claude.permissionMode).toBe('default');
    const real = load({ environment: { ANTHROPIC_API_KEY: 'key' } });
    expect(real.config.workRoots).toEqual([]);
    expect(real.config.claude.permissionMode).toBeUndefined();
  });

  it('read working directories from a variable like PATH, and from a list in the file', () => {
    const { current, user, load } = configFolder();
    const text = ['~/code', '/srv/projects', ''].join(delimiter);
    expect(load({ environment: { PARLEY_WORK_ROOTS: text } }).config.workRoots).toEqual([
      { path: join(user, 'code') },
      { path: '/srv/projects' },
    ]);
    const own = { path: '~/team', sandbox: 'required', people: ['petra'] };
    expect(load({ file: { workRoots: ['projects', '~', own] } }).config.workRoots).toEqual([
      { path: join(current, 'projects') },
      { path: user },
      { ...own, path: join(user, 'team') },
    ]);
  });

  it('turn the sandbox on where there is one, and refuse unknown words [code.sandbox.modes]', () => {
    const { load } = configFolder();
    expect(load({}).config.sandbox).toBe('auto');
    expect(load({ environment: { PARLEY_SANDBOX: 'required' } }).config.sandbox).toBe('required');
    const wrong = load({ file: { sandbox: 'maybe', workRoots: [{ path: '/srv', sandbox: 'sometimes' }] } });
    expect(wrong.problems.map(({ key }) => key)).toEqual(expect.arrayContaining(['sandbox']));
    expect(wrong.problems.some(({ key }) => key.startsWith('workRoots'))).toBe(true);
  });

  it('may give the terminal to people who were invited, but has an owner among the configured people [team.settings.invited]', () => {
    const { load } = configFolder();
    const invited = load({
      file: { people: ['ada'], claude: { owner: 'ada', terminalPeople: ['ada', 'bob'] } },
    });
    expect(invited.problems).toEqual([]);
    const { problems } = load({ file: { people: ['ada'], claude: { owner: 'bob' } } });
    expect(problems).toMatchObject([
      { key: 'claude.owner', message: 'Claude Code sessions belong to bob, who is not one of the people' },
    ]);
  });
});
