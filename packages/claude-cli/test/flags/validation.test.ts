// Reports everything that is wrong with a configuration, in sentences.
import { afterAll, describe, expect, it } from 'vitest';
import { ClaudeCliError, createProvider } from '../../src/index.ts';

const provider = createProvider({ environment: {}, program: process.execPath });
afterAll(() => provider.close());

function problemsOf(config: unknown): readonly string[] {
  try {
    provider.createSession(config as never);
  } catch (error) {
    if (error instanceof ClaudeCliError && error.code === 'invalid_config') return error.problems;
    throw error;
  }
  return [];
}

describe('an invalid configuration', () => {
  it('is rejected with all its problems at once [driver.flags.all-problems]', () => {
    expect(
      problemsOf({
        workingdir: '/tmp',
        custom: {
          modle: 'opus',
          max_budget_usd: '5',
          strict_mcp: 'yes',
          allowed_tools: 'Bash',
          permission_mode: 'yolo',
          json_schema: 'object',
          agents: [],
          mcp_config: 7,
          resume: 'yesterday',
          tools: ['Read', 3],
          max_turns: 1.5,
          effort: 3,
          somethingElseEntirely: true,
        },
      }),
    ).toEqual([
      'custom.mcp_config must be text or a list or an object, not a number.',
      'custom.strict_mcp must be true or false, not text.',
      'custom.max_budget_usd must be a number, not text.',
      'custom.allowed_tools must be a list, not text.',
      'custom.permission_mode must be one of acceptEdits, auto, bypassPermissions, default, dontAsk, manual, plan, not "yolo".',
      'custom.json_schema must be an object, not text.',
      'custom.effort must be one of low, medium, high, xhigh, max, not a number.',
      'custom.agents must be an object, not a list.',
      'custom.resume must be a UUID.',
      'custom.tools.1 must be text, not a number.',
      'custom.max_turns must be a whole number, not the number 1.5.',
      'custom.modle is not a known key. Did you mean model?',
      'custom.somethingElseEntirely is not a known key.',
      'workingdir is not a known key. Did you mean workingDir?',
    ]);
  });

  it.each([
    [{ custom: { maxTurns: 3 } }, 'custom.maxTurns is not a known key. Did you mean max_turns?'],
    [
      { custom: { 'allowed-tools': [] } },
      'custom.allowed-tools is not a known key. Did you mean allowed_tools?',
    ],
    [{ limits: { startMS: 1 } }, 'limits.startMS is not a known key. Did you mean startMs?'],
    [{ limits: { startMs: 0 } }, 'limits.startMs must be at least 1.'],
    [{ custom: { max_budget_usd: 0 } }, 'custom.max_budget_usd must be over 0.'],
    [
      { custom: { max_budget_usd: Number.NaN } },
      'custom.max_budget_usd must be a number, not the number NaN.',
    ],
    [{ limits: { exitMs: 2 ** 31 } }, 'limits.exitMs must be at most 2147483647.'],
    [{ workingDir: '' }, 'workingDir must not be empty.'],
    [{ custom: { model: '' } }, 'custom.model must not be empty.'],
    [{ custom: { mcp_config: [] } }, 'custom.mcp_config must not be empty.'],
    [{ custom: { mcp_config: ['a', 1] } }, 'custom.mcp_config.1 must be text or an object, not a number.'],
    [{ custom: { fork_session: true } }, 'custom.fork_session needs resume or continue.'],
    [
      { custom: { agents: { a: { prompt: 'x' } } } },
      'custom.agents.a.description must be text, not undefined.',
    ],
    [{ onPermission: true }, 'onPermission must be a function.'],
    [
      { systemPrompt: 'a', custom: { system_prompt: 'b' } },
      'systemPrompt cannot be combined with custom.system_prompt.',
    ],
    [{ custom: { system_prompt: 'a\0b' } }, 'custom.system_prompt must not contain a NUL character.'],
    ['nonsense', 'It must be an object, not text.'],
  ])('%j says what is wrong', (config, problem) => {
    expect(problemsOf(config)).toEqual([problem]);
  });

  it('includes what the program itself would refuse later', () => {
    const id = '6f9619ff-8b86-4d11-b42d-00c04fc964ff';
    expect(problemsOf({ custom: { resume: id, continue: true, session_id: id } })).toEqual([
      'custom.continue cannot be combined with resume.',
      'custom.session_id can be combined with resume or continue only if fork_session is set.',
    ]);
    expect(problemsOf({ custom: { resume_session_at: id } })).toEqual([
      'custom.resume_session_at needs resume.',
    ]);
  });

  it('includes text that is too long for the operating system', () => {
    expect(problemsOf({ custom: { append_system_prompt: 'x'.repeat(200_000) } })[0]).toContain('longer than');
    expect(problemsOf({ custom: { json_schema: { x: 'x'.repeat(200_000) } } })[0]).toContain('too large');
  });

  it('ignores prototypes', () => {
    const config = JSON.parse('{"custom":{"__proto__":{"model":"opus"}}}') as unknown;
    expect(problemsOf(config)).toEqual(['custom.__proto__ is not a known key.']);
  });

  it('includes variables that load foreign code', () => {
    expect(
      problemsOf({ environment: { NODE_OPTIONS: '--require ./x.js', GIT_SSH_COMMAND: 'x', 'A B': 'x' } }),
    ).toEqual([
      'NODE_OPTIONS is not allowed: it could change what the program and its tools load.',
      'GIT_SSH_COMMAND is not allowed: it could change what the program and its tools load.',
      '"A B" is not a valid variable name.',
    ]);
  });
});
