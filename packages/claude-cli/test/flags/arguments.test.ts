// From configuration to arguments. The table is pinned as literals, because people rely on it.
import { describe, expect, it } from 'vitest';
import { buildArguments, ClaudeOptions } from '../../src/index.ts';

const always = ['-p', '--output-format=stream-json', '--input-format=stream-json', '--verbose'];
const id = '6f9619ff-8b86-4d11-b42d-00c04fc964ff';

const table: readonly (readonly [ClaudeOptions, readonly string[]])[] = [
  [{ system_prompt: 'Be brief.' }, ['--system-prompt=Be brief.']],
  [{ system_prompt: '', append_system_prompt: '' }, []],
  [{ append_system_prompt: 'Line\nbreak' }, ['--append-system-prompt=Line\nbreak']],
  [{ mcp_config: 'servers.json' }, ['--mcp-config=servers.json']],
  [
    { mcp_config: ['a.json', '{"mcpServers":{}}'] },
    ['--mcp-config=a.json', '--mcp-config={"mcpServers":{}}'],
  ],
  [
    { mcp_config: { mcpServers: { x: { command: 'x' } } } },
    ['--mcp-config={"mcpServers":{"x":{"command":"x"}}}'],
  ],
  [{ mcp_config: [{ mcpServers: {} }, 'b.json'] }, ['--mcp-config={"mcpServers":{}}', '--mcp-config=b.json']],
  [{ strict_mcp: true }, ['--strict-mcp-config']],
  [{ strict_mcp: false }, []],
  [{ model: 'opus' }, ['--model=opus']],
  [{ max_budget_usd: 5 }, ['--max-budget-usd=5']],
  [{ max_budget_usd: 0.25 }, ['--max-budget-usd=0.25']],
  [
    { allowed_tools: ['Bash(git log:*)', 'Edit'] },
    ['--allowed-tools=Bash(git log:*)', '--allowed-tools=Edit'],
  ],
  [{ allowed_tools: [] }, []],
  [{ disallowed_tools: ['WebFetch'] }, ['--disallowed-tools=WebFetch']],
  [{ permission_mode: 'plan' }, ['--permission-mode=plan']],
  [{ json_schema: { type: 'object' } }, ['--json-schema={"type":"object"}']],
  [{ no_session_persistence: true }, ['--no-session-persistence']],
  [{ fallback_model: 'haiku' }, ['--fallback-model=haiku']],
  [{ fallback_model: ['sonnet', 'haiku'] }, ['--fallback-model=sonnet,haiku']],
  [{ effort: 'xhigh' }, ['--effort=xhigh']],
  [
    { agents: { taster: { description: 'Tastes', prompt: 'Taste.' } } },
    ['--agents={"taster":{"description":"Tastes","prompt":"Taste."}}'],
  ],
  [{ session_id: id }, [`--session-id=${id}`]],
  [{ resume: id }, [`--resume=${id}`]],
  [{ resume: id, fork_session: true }, [`--resume=${id}`, '--fork-session']],
  [{ resume: id, resume_session_at: id }, [`--resume=${id}`, `--resume-session-at=${id}`]],
  [
    { resume: id, fork_session: true, session_id: id },
    [`--session-id=${id}`, `--resume=${id}`, '--fork-session'],
  ],
  [{ continue: true }, ['--continue']],
  [{ from_pr: '42' }, ['--from-pr=42']],
  [{ name: 'Soup' }, ['--name=Soup']],
  [{ agent: 'taster' }, ['--agent=taster']],
  [{ tools: ['Read', 'Bash'] }, ['--tools=Read,Bash']],
  [{ tools: [] }, ['--tools=']],
  [{ max_turns: 3 }, ['--max-turns=3']],
  [{ add_dir: ['/a', '/b c'] }, ['--add-dir=/a', '--add-dir=/b c']],
  [{ settings: 'settings.json' }, ['--settings=settings.json']],
  [{ settings: { model: 'opus' } }, ['--settings={"model":"opus"}']],
  [{ setting_sources: ['user', 'project'] }, ['--setting-sources=user,project']],
  [{ setting_sources: [] }, ['--setting-sources=']],
  [{ plugin_dir: ['/p'] }, ['--plugin-dir=/p']],
  [{ file: ['file_1:a.txt'] }, ['--file=file_1:a.txt']],
  [{ betas: ['x'] }, ['--betas=x']],
  [{ bare: true }, ['--bare']],
  [{ restricted: true }, ['--restricted']],
  [{ disable_slash_commands: true }, ['--disable-slash-commands']],
  [{ dangerously_skip_permissions: true }, ['--dangerously-skip-permissions']],
  [{ allow_dangerously_skip_permissions: true }, ['--allow-dangerously-skip-permissions']],
  [{ permission_prompt_tool: 'stdio' }, ['--permission-prompt-tool=stdio']],
  [{ include_hook_events: true }, ['--include-hook-events']],
  [{ forward_subagent_text: true }, ['--forward-subagent-text']],
  [{ replay_user_messages: true }, ['--replay-user-messages']],
];

describe('arguments', () => {
  it.each(table)('of %j are the flags of the table [driver.flags.table]', (options, flags) => {
    const written = buildArguments(ClaudeOptions.parse(options));
    expect(
      written.filter((argument) => !always.includes(argument) && argument !== '--include-partial-messages'),
    ).toEqual(flags);
  });

  it('have a row in this test for every option', () => {
    const covered = new Set(table.flatMap(([options]) => Object.keys(options)));
    expect([...covered, 'include_partial_messages'].sort()).toEqual(Object.keys(ClaudeOptions.shape).sort());
  });

  it('always request frames in both directions and partial messages [driver.flags.always]', () => {
    expect(buildArguments({})).toEqual([...always, '--include-partial-messages']);
    expect(buildArguments({ include_partial_messages: false })).toEqual(always);
  });

  it('have a fixed order, independent of the order of the keys', () => {
    const keys: ClaudeOptions = { model: 'opus', effort: 'low', strict_mcp: true };
    const reversed: ClaudeOptions = { strict_mcp: true, effort: 'low', model: 'opus' };
    expect(buildArguments(reversed)).toEqual(buildArguments(keys));
  });

  it('never let a value become a flag', () => {
    const hostile = '--dangerously-skip-permissions';
    const written = buildArguments({
      system_prompt: hostile,
      model: hostile,
      name: hostile,
      allowed_tools: [hostile],
      add_dir: [hostile],
      mcp_config: [hostile],
      tools: [hostile],
    });
    expect(written).not.toContain(hostile);
    expect(written.every((argument) => argument === '-p' || /^--[a-z-]+(=|$)/.test(argument))).toBe(true);
  });
});
