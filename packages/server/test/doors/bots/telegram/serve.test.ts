// The bot as people start it: the parley command with two variables.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshPlace, parley } from '../../../cli/parley-process.ts';
import { until } from '../../http/door-harness.ts';
import { answers, freshTelegram, petra } from './harness.ts';

describe('parley serve with a Telegram token', () => {
  it('answers in demo mode, stores the session map, and stops cleanly', async () => {
    const telegram = await freshTelegram();
    const { serve, user } = freshPlace(parley);
    const workspace = join(user, 'greenhouse');
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'README.md'), '# Greenhouse\n');
    const { program } = await serve([], {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.url,
      TELEGRAM_ALLOW_FROM: `${petra.id}`,
      PARLEY_WORKSPACE: workspace,
      PARLEY_LOG_LEVEL: 'info',
    });
    telegram.inject({ from: petra, fields: { text: 'List the files here' } });
    const [answer] = await answers(telegram, 1, petra.id, 60_000);
    expect(answer?.text).toContain('README.md');
    const { code, stdout, stderr } = await program.stop();
    expect(code).toBe(0);
    expect(stdout + stderr).toContain('"conversation":"telegram:1001"');
    expect(stdout + stderr).not.toContain(telegram.token);
    const map = JSON.parse(readFileSync(join(user, '.parley', 'demo', 'sessions.json'), 'utf8')) as object;
    expect(Object.keys(map)).toEqual(['telegram:1001']);
  });

  it('starts even when Telegram cannot be reached, with another bot that is off [channels.config.empty-token] [channels.config.placeholders]', async () => {
    const { serve, user } = freshPlace(parley);
    const channels = { discord: { enabled: false, token: '', allowFrom: [] } };
    const summaryPrompt = { enabled: true, template: 'Summarize {{request}}' };
    writeFileSync(join(user, 'parley.config.json'), JSON.stringify({ channels, summaryPrompt }));
    const { url, program } = await serve([], {
      TELEGRAM_BOT_TOKEN: '1:secret-token',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
      PARLEY_LOG_LEVEL: 'warn',
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await program.says(/"placeholders":\["request"\]/);
    await program.says(/failed to reach Telegram/);
    const { code, stdout, stderr } = await program.stop();
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('secret-token');
  });

  it('reports the state of each bot on /api/channels, without tokens', async () => {
    const telegram = await freshTelegram();
    const { serve } = freshPlace(parley);
    const { url, program } = await serve([], {
      PARLEY_API_KEY: 'parley-key-of-the-tests',
      TELEGRAM_BOT_TOKEN: '1:wrong-token',
      TELEGRAM_API_ROOT: telegram.url,
      DISCORD_BOT_TOKEN: 'unused-token',
      DISCORD_ENABLED: 'false',
    });
    const ask = async () => {
      const response = await fetch(`${url}/api/channels`, {
        headers: { 'x-api-key': 'parley-key-of-the-tests' },
      });
      return response.text();
    };
    await until(async () => (await ask()).includes('"failed"'));
    const overview = await ask();
    expect(JSON.parse(overview)).toEqual({
      channels: [
        {
          name: 'telegram',
          kind: 'telegram',
          state: 'failed',
          botName: null,
          lastError: expect.stringContaining('TELEGRAM_BOT_TOKEN'),
          since: expect.any(Number),
        },
        {
          name: 'discord',
          kind: 'discord',
          state: 'off',
          botName: null,
          lastError: null,
          since: expect.any(Number),
        },
      ],
    });
    expect(overview).not.toMatch(/wrong-token|unused-token/);
    expect((await fetch(`${url}/api/channels`)).status).toBe(401);
    await program.stop();
  });
});
