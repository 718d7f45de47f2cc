import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allSettings } from '../../../../src/config/schema.ts';
import { commands } from '../../../../src/doors/bots/core/commands.ts';
import { configFolder } from '../../../config/config-folder.ts';

const read = (path: string) => readFileSync(new URL(`../../../../../../${path}`, import.meta.url), 'utf8');

describe('the guide to the Telegram bot', () => {
  it('says clearly what the bot may do by default and with full permissions, as do README and .env.example [channels.security.posture-documented]', () => {
    const guide = read('docs/telegram.md');
    const { config } = configFolder().load({});
    expect(config.channels.permissionMode).toBe('ask');
    expect(guide).toContain('By default the bot asks before it acts');
    expect(guide).toMatch(/then has a shell on your machine/);
    expect(guide).toContain('PARLEY_CHANNELS_PERMISSIONS=full');
    expect(read('.env.example')).toContain('FULL PERMISSIONS');
    expect(read('.env.example')).toContain('\nPARLEY_CHANNELS_PERMISSIONS=ask\n');
    const [posture = ''] = /\*\*What bots may do:\*\*.*?\n\n/s.exec(read('README.md')) ?? [];
    expect(posture).toContain('by default (`PARLEY_CHANNELS_PERMISSIONS=ask`)');
    expect(posture).toContain('full permissions');
  });

  it('names the default model, the one of the specification, and how to choose [channels.model.documented]', () => {
    const { config } = configFolder().load({});
    for (const file of ['docs/telegram.md', 'docs/discord.md', 'README.md']) {
      expect(read(file)).toContain(config.model);
      expect(read(file)).toContain('PARLEY_MODEL');
    }
    expect(read('docs/telegram.md')).toContain('PARLEY_MODEL=claude-sonnet-4-5');
  });

  it('shows a valid example of a second bot', () => {
    const example = /```json\n(.*?)```/s.exec(read('docs/telegram.md'))?.[1];
    const { config, problems } = configFolder().load({ file: example });
    expect(problems).toEqual([]);
    expect(config.channels.more).toMatchObject([{ name: 'garden', service: 'telegram' }]);
  });

  it('names only variables that exist, and every command', () => {
    const known = new Set(allSettings.flatMap(({ env }) => env ?? []));
    const text = `${read('docs/telegram.md')}\n${read('.env.example')}`;
    const named = new Set(text.match(/\b(?:PARLEY|TELEGRAM|DISCORD|ANTHROPIC)_[A-Z_]+\b/g));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
    for (const { name } of commands) expect(text).toContain(`\`/${name}\``);
  });
});
