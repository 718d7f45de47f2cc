// The settings of Claude Code: where it may work, and whose its sessions are.
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFolder } from './config-folder.ts';

describe('the settings of Claude Code', () => {
  it('allow no working directory until one is named, but for the sample project of the demo', () => {
    const { user, load } = configFolder();
    const demo = load({});
    expect(demo.config.workRoots).toEqual([join(user, '.parley', 'demo', 'projects')]);
    expect(demo.origins.get('workRoots')).toEqual({ from: 'demo' });
    expect(demo.config.claude.permissionMode).toBe('default');
    const real = load({ environment: { ANTHROPIC_API_KEY: 'key' } });
    expect(real.config.workRoots).toEqual([]);
    expect(real.config.claude.permissionMode).toBeUndefined();
  });

  it('take working directories from the variable as PATH is written, and from the file as a list', () => {
    const { current, user, load } = configFolder();
    const text = ['~/code', '/srv/projects', ''].join(delimiter);
    expect(load({ environment: { PARLEY_WORK_ROOTS: text } }).config.workRoots).toEqual([
      join(user, 'code'),
      '/srv/projects',
    ]);
    expect(load({ file: { workRoots: ['projects', '~'] } }).config.workRoots).toEqual([
      join(current, 'projects'),
      user,
    ]);
  });

  it('name only people who are there', () => {
    const { load } = configFolder();
    const { problems } = load({
      file: { people: ['ada'], claude: { owner: 'ada', terminalPeople: ['ada', 'bob'] } },
    });
    expect(problems).toMatchObject([{ key: 'claude.owner', message: 'bob is not one of the people' }]);
  });
});
