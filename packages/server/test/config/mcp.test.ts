// The section `mcpServers` of the configuration.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Settings } from '../../src/config/schema.ts';
import { configFolder } from './config-folder.ts';

describe('the configuration of MCP servers', () => {
  it('accepts programs and addresses as other programs write them', () => {
    const { mcpServers } = Settings.parse({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'a-server'], env: { TOKEN: 'hidden' }, cwd: '/srv' },
        far: { type: 'http', url: 'https://mcp.example.org/mcp', headers: { Authorization: 'Bearer x' } },
        recipes: { disabled: true },
      },
    });
    expect(mcpServers['files']).toMatchObject({ command: 'npx', args: ['-y', 'a-server'], disabled: false });
    expect(mcpServers['files']?.env['TOKEN']?.reveal()).toBe('hidden');
    expect(mcpServers['far']?.headers['Authorization']?.reveal()).toBe('Bearer x');
    expect(JSON.stringify(mcpServers)).not.toMatch(/hidden|Bearer/);
  });

  it('matches the example in docs/tools.md', () => {
    const guide = readFileSync(new URL('../../../../docs/tools.md', import.meta.url), 'utf8');
    const example = /```json\n([\s\S]+?)\n```/.exec(guide)?.[1];
    const { config } = configFolder().load({ file: example });
    expect(Object.keys(config.mcpServers)).toEqual(['memory', 'calendar']);
    expect(config.assistants).toMatchObject([{ name: 'family', tools: ['memory', 'calendar', 'vault'] }]);
  });

  it.each([
    [{ command: 'a', url: 'https://example.org' }, 'expected either command or url'],
    [{}, 'expected either command or url'],
    [{ url: 'ftp://example.org' }, 'expected an http or https address'],
    [{ url: 'https://anna:secret@example.org' }, 'expected an http or https address'],
    [{ command: 'a', cwd: 'here' }, 'expected an absolute path'],
    [{ command: 'a', env: { NODE_OPTIONS: '--require=/tmp/x' } }, 'load other code'],
    [{ command: 'a', env: { ld_preload: '/tmp/x' } }, 'load other code'],
    [{ command: 'a', env: { 'A B': 'x' } }, 'expected a variable name'],
    [{ command: 'a', headers: { 'a\nb': 'x' } }, 'expected a header name'],
    [{ command: 'a', timeoutMs: 1 }, '>=100'],
  ])('refuses %j', (entry, message) => {
    const { error } = Settings.safeParse({ mcpServers: { one: entry } });
    expect(JSON.stringify(error?.issues)).toContain(message);
  });

  it.each(['vault', 'artifacts', 'a b', '', '-x', 'x'.repeat(33)])('refuses the name %j', (name) => {
    expect(Settings.safeParse({ mcpServers: { [name]: { command: 'a' } } }).success).toBe(false);
  });
});
