import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allSettings } from '../../../../src/config/schema.ts';
import { commands } from '../../../../src/doors/bots/core/commands.ts';

const guide = readFileSync(new URL('../../../../../../docs/discord.md', import.meta.url), 'utf8');

describe('the guide to the Discord bot', () => {
  it('says clearly what the bot may do by default and with full permissions [channels.security.posture-documented]', () => {
    expect(guide).toContain('By default the bot asks before it acts');
    expect(guide).toContain('then has a shell on your machine');
    expect(guide).toContain('PARLEY_CHANNELS_PERMISSIONS=full');
  });

  it('names only variables that exist, every command, and the intent that is easy to forget', () => {
    const known = new Set(allSettings.flatMap(({ env }) => env ?? []));
    const named = new Set(guide.match(/\b(?:PARLEY|TELEGRAM|DISCORD|ANTHROPIC)_[A-Z_]+\b/g));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
    for (const { name } of commands) expect(guide).toContain(`\`/${name}\``);
    expect(guide).toContain('Message Content Intent');
  });
});
