// The settings of Telegram and Discord.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { botsOf, unknownPlaceholders } from '../../src/config/bots.ts';
import { formatProblems } from '../../src/config/problem.ts';
import { secretsOf } from '../../src/config/secret.ts';
import { configFolder } from './config-folder.ts';

describe('the settings of the bots', () => {
  it('have their documented defaults [channels.config.defaults]', () => {
    const { user, load } = configFolder();
    const { config, problems } = load({ environment: { ANTHROPIC_API_KEY: 'k' } });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      workspace: join(user, '.parley', 'workspace'),
      channels: {
        engine: 'claude-code',
        permissionMode: 'ask',
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

  it('add the workspace to the work roots only when there is a bot', () => {
    const { load } = configFolder();
    const environment = {
      ANTHROPIC_API_KEY: 'k',
      PARLEY_WORK_ROOTS: '/srv/code',
      PARLEY_WORKSPACE: '/srv/bot',
    };
    expect(load({ environment }).config.workRoots).toEqual([{ path: '/srv/code' }]);
    const withBot = load({ environment: { ...environment, TELEGRAM_BOT_TOKEN: 't' } }).config;
    expect(withBot.workRoots).toEqual([{ path: '/srv/code' }, { path: '/srv/bot' }]);
  });

  it('accept an empty token for a bot that is off, and only then [channels.config.empty-token]', () => {
    const { load } = configFolder();
    const both = (telegram: object) =>
      load({ file: { channels: { telegram, discord: { enabled: false, token: '', allowFrom: [] } } } });
    const { config, problems } = both({ enabled: true, token: 'a token', allowFrom: ['1'] });
    expect(problems).toEqual([]);
    expect(botsOf(config)).toMatchObject([{ isEnabled: true }, { isEnabled: false, token: undefined }]);
    expect(both({ token: '' }).problems).toEqual([]);
    expect(both({ enabled: true, token: '' }).problems).toMatchObject([
      { key: 'channels.telegram.token', message: 'the bot is enabled, but it has no token' },
    ]);
  });

  it('know the placeholders of the summary prompt [channels.config.placeholders]', () => {
    const template = 'In {{ workspace }}: {{message}} {{request}} {{ }} {{request}} {single}';
    expect(unknownPlaceholders({ enabled: true, template })).toEqual(['request', '']);
    expect(unknownPlaceholders({ enabled: false, template })).toEqual([]);
  });

  it('accept only numeric ids, but also people who were invited [team.settings.invited]', () => {
    const { load } = configFolder();
    const { problems } = load({
      file: { people: ['petra'], channels: { person: 'mia', people: { 7: 'eve' } } },
      environment: { TELEGRAM_ALLOW_FROM: '@petra' },
    });
    expect(problems.map(({ key }) => key)).toEqual(['channels.telegram.allowFrom[0]']);
    expect(problems[0]?.hint).toContain('numeric ids');
  });
});

describe('more bots', () => {
  const garden = { name: 'garden', service: 'telegram', token: 'token-of-garden', allowFrom: [7] } as const;

  it('have the settings of the channels, except for their own [channels.session.per-bot]', () => {
    const { current, user, load } = configFolder();
    const { config, problems } = load({
      file: {
        people: ['petra', 'sebastian'],
        workspace: '/srv/bot',
        channels: {
          permissionMode: 'ask',
          telegram: { token: 'first', allowFrom: [1], apiRoot: 'http://127.0.0.1:81' },
          more: [
            garden,
            {
              ...garden,
              name: 'study',
              service: 'discord',
              token: 'token-of-study',
              allowFrom: [],
              apiRoot: 'http://127.0.0.1:82',
              workspace: '~/study',
              model: 'claude-opus-4-5',
              permissionMode: 'full',
              engine: 'messages-api',
              assistant: 'kitchen',
              person: 'sebastian',
            },
            { ...garden, name: 'here', token: 'token-of-here', workspace: 'projects' },
          ],
        },
      },
    });
    expect(problems).toEqual([]);
    const [telegram, discord, ...more] = botsOf(config);
    expect([telegram, discord]).toMatchObject([
      { name: 'telegram', isEnabled: true, allowFrom: ['1'], workspace: '/srv/bot' },
      { name: 'discord', isEnabled: false, token: undefined },
    ]);
    expect(more).toMatchObject([
      {
        name: 'garden',
        service: 'telegram',
        isEnabled: true,
        allowFrom: ['7'],
        apiRoot: 'http://127.0.0.1:81',
        workspace: '/srv/bot',
        model: config.model,
        permissionMode: 'ask',
        engine: 'claude-code',
        assistant: 'notes',
        person: undefined,
      },
      {
        name: 'study',
        service: 'discord',
        isEnabled: true,
        allowFrom: [],
        apiRoot: 'http://127.0.0.1:82',
        workspace: join(user, 'study'),
        model: 'claude-opus-4-5',
        permissionMode: 'full',
        engine: 'messages-api',
        assistant: 'kitchen',
        person: 'sebastian',
      },
      { name: 'here', workspace: join(current, 'projects') },
    ]);
    expect(config.workRoots.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/srv/bot', join(user, 'study'), join(current, 'projects')]),
    );
  });

  it('add their own workspaces to the work roots, and the shared one only when a bot uses it', () => {
    const { load } = configFolder();
    const environment = { ANTHROPIC_API_KEY: 'k', PARLEY_WORKSPACE: '/srv/bot' };
    const rootsWith = (workspace?: string) =>
      load({ environment, file: { channels: { more: [{ ...garden, workspace }] } } }).config.workRoots.map(
        ({ path }) => path,
      );
    expect(rootsWith('/srv/garden')).toEqual(['/srv/garden']);
    expect(rootsWith()).toEqual(['/srv/bot']);
  });

  it('never share a token', () => {
    const { load } = configFolder();
    const bots = fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^b[a-z0-9-]{0,31}$/),
        token: fc.constantFrom('a', 'b', 'c', 'd'),
      }),
      { selector: ({ name }) => name, maxLength: 5 },
    );
    const ofTelegram = fc.option(fc.constantFrom('a', 'b'), { nil: undefined });
    fc.assert(
      fc.property(bots, ofTelegram, (more, token) => {
        const { problems } = load({
          file: { channels: { telegram: { token }, more: more.map((bot) => ({ ...garden, ...bot })) } },
        });
        const tokens = [...more.map((bot) => bot.token), ...(token === undefined ? [] : [token])];
        const isShared = new Set(tokens).size < tokens.length;
        expect(problems.map(({ key }) => key)).toEqual(isShared ? ['channels.more'] : []);
      }),
      { numRuns: 60 },
    );
  });

  it('with the same token are reported by name, without the token', () => {
    const { load } = configFolder();
    const { problems } = load({
      file: { channels: { more: [garden] } },
      environment: { TELEGRAM_BOT_TOKEN: garden.token },
    });
    expect(problems).toMatchObject([
      { key: 'channels.more', message: 'the bots telegram and garden have the same token' },
    ]);
    expect(formatProblems(problems)).not.toContain(garden.token);
  });

  it.each([
    ['the name of a door', { name: 'programs' }, 'channels.more[0].name'],
    ['the name of the Telegram bot', { name: 'telegram' }, 'channels.more[0].name'],
    ['a name with a colon, which separates the keys of chats', { name: 'a:b' }, 'channels.more[0].name'],
    ['an unknown service', { service: 'irc' }, 'channels.more[0].service'],
    ['no token', { token: undefined }, 'channels.more[0].token'],
    ['a name instead of an id', { allowFrom: ['@petra'] }, 'channels.more[0].allowFrom[0]'],
    ['an unknown key', { color: 'red' }, 'channels.more[0].color'],
    ['a name that nobody can have', { person: 'Mallory!' }, 'channels.more[0].person'],
  ])('are refused with %s', (_, wrong, key) => {
    const { load } = configFolder();
    const { problems } = load({ file: { people: ['petra'], channels: { more: [{ ...garden, ...wrong }] } } });
    expect(problems.map((problem) => problem.key)).toEqual([key]);
    expect(formatProblems(problems)).not.toContain(garden.token);
  });

  it('are refused when two have the same name', () => {
    const { load } = configFolder();
    const { problems } = load({ file: { channels: { more: [garden, { ...garden, token: 'another' }] } } });
    expect(problems).toMatchObject([{ key: 'channels.more', message: 'two bots have the same name' }]);
  });

  it('hide their tokens', () => {
    const { load } = configFolder();
    const { config } = load({ file: { channels: { more: [garden] } } });
    expect(JSON.stringify(config)).not.toContain(garden.token);
    expect(secretsOf(config)).toEqual([garden.token]);
  });
});
