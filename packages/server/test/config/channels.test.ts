// The settings of Telegram and Discord.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFolder } from './config-folder.ts';

describe('the settings of the chat channels', () => {
  it('have their documented defaults [channels.config.defaults]', () => {
    const { user, load } = configFolder();
    const { config, problems } = load({ environment: { ANTHROPIC_API_KEY: 'k' } });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      workspace: join(user, '.parley', 'workspace'),
      channels: {
        engine: 'claude-code',
        permissionMode: 'full',
        people: {},
        telegram: { allowFrom: [], apiRoot: 'https://api.telegram.org' },
        discord: { allowFrom: [], apiRoot: 'https://discord.com/api' },
      },
      summaryPrompt: { enabled: false },
      transcriptLog: { enabled: false, maxBytes: 10_485_760, maxFiles: 5 },
      maxToolIterations: 20,
    });
    expect(config.sessionStorePath).toBeUndefined();
  });

  it('come from the file, and the environment wins [channels.config.order]', () => {
    const { load } = configFolder();
    const { config, problems } = load({
      file: {
        workspace: '/srv/file',
        channels: {
          telegram: { token: 'of the file', allowFrom: [123, '456'] },
          discord: { token: 'discord' },
        },
        maxToolIterations: 5,
        transcriptLog: { enabled: true, path: '/srv/log', maxBytes: 2_048, maxFiles: 2 },
      },
      environment: {
        TELEGRAM_BOT_TOKEN: 'of the environment',
        DISCORD_ALLOW_FROM: '7, 8',
        PARLEY_WORKSPACE: '/srv/env',
      },
    });
    expect(problems).toEqual([]);
    expect(config.channels.telegram.token?.reveal()).toBe('of the environment');
    expect(config.channels.discord.token?.reveal()).toBe('discord');
    expect(config.channels.telegram.allowFrom).toEqual(['123', '456']);
    expect(config.channels.discord.allowFrom).toEqual(['7', '8']);
    expect(config).toMatchObject({
      workspace: '/srv/env',
      maxToolIterations: 5,
      transcriptLog: { path: '/srv/log' },
    });
  });

  it('let a bot work in its workspace, and nobody else where there is none', () => {
    const { load } = configFolder();
    const environment = {
      ANTHROPIC_API_KEY: 'k',
      PARLEY_WORK_ROOTS: '/srv/code',
      PARLEY_WORKSPACE: '/srv/bot',
    };
    expect(load({ environment }).config.workRoots).toEqual(['/srv/code']);
    const withBot = load({ environment: { ...environment, TELEGRAM_BOT_TOKEN: 't' } }).config;
    expect(withBot.workRoots).toEqual(['/srv/code', '/srv/bot']);
  });

  it('take numeric ids alone, and people of the household', () => {
    const { load } = configFolder();
    const { problems } = load({
      file: { people: ['petra'], channels: { person: 'mallory' } },
      environment: { TELEGRAM_ALLOW_FROM: '@petra' },
    });
    expect(problems.map(({ key }) => key)).toEqual(['channels.telegram.allowFrom[0]', 'channels.person']);
    expect(problems[0]?.hint).toContain('numeric ids');
  });
});
