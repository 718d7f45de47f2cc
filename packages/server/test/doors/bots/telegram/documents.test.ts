import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allSettings } from '../../../../src/config/load.ts';
import { commands } from '../../../../src/doors/bots/core/commands.ts';
import { configFolder } from '../../../config/config-folder.ts';

const read = (path: string) => readFileSync(new URL(`../../../../../../${path}`, import.meta.url), 'utf8');

describe('the guide to the Telegram bot', () => {
  it('says clearly that the bot has full permissions, and what that means [channels.security.posture-documented]', () => {
    const guide = read('docs/telegram.md');
    expect(guide).toContain('By default the bot has full permissions');
    expect(guide).toContain('has a shell on your machine');
    expect(guide).toContain('PARLEY_CHANNELS_PERMISSIONS=ask');
    expect(read('.env.example')).toContain('FULL PERMISSIONS');
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
