// Builds the child's environment from a list. Nothing is inherited because it happened to be there, and what
// could make the program or its tools load foreign code is refused even when it is given on purpose.
import { ClaudeCliError } from '../errors.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Passed on from the host when set. A trailing `*` stands for any rest. */
const inherited = words(`
  PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM COLORTERM
  TMPDIR TMP TEMP XDG_* IS_SANDBOX
  ANTHROPIC_* CLAUDE_CONFIG_DIR
  DO_NOT_TRACK DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DISABLE_AUTOUPDATER
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
  SystemRoot SYSTEMROOT ComSpec COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA
`);

const refused = words(`
  NODE_OPTIONS NODE_PATH BUN_* LD_* DYLD_* GIT_*
  BASH_ENV ENV BASH_FUNC_* SHELLOPTS BASHOPTS PROMPT_COMMAND PS4 IFS CDPATH
  PYTHONSTARTUP PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB RUBYOPT RUBYLIB
  JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLAUDECODE
`);

export interface EnvironmentSources {
  /** The host's variables, of which only the listed ones pass. */
  readonly host: Variables;
  /** Further names that may pass from the host. */
  readonly alsoInherit?: readonly string[];
  /** Variables given on purpose; they win over the host's. */
  readonly explicit?: Variables;
}

export function buildEnvironment({
  host,
  alsoInherit = [],
  explicit = {},
}: EnvironmentSources): Record<string, string> {
  const problems = [...alsoInherit.flatMap(nameProblem), ...Object.entries(explicit).flatMap(entryProblem)];
  if (problems.length > 0) {
    const list = problems.map((problem) => `\n  - ${problem}`).join('');
    throw new ClaudeCliError('invalid_config', `The environment has problems:${list}`, { problems });
  }

  const built: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    const passes = matches(name, inherited) || alsoInherit.includes(name);
    if (value !== undefined && passes && !isRefused(name)) built[name] = value;
  }
  for (const [name, value] of Object.entries(explicit)) {
    if (value === undefined) delete built[name];
    else built[name] = value;
  }
  return built;
}

function entryProblem([name, value]: [string, unknown]): string[] {
  if (value === undefined) return nameProblem(name);
  if (typeof value !== 'string') return [...nameProblem(name), `${name} must be a text.`];
  return value.includes('\0')
    ? [...nameProblem(name), `${name} must not contain a NUL character.`]
    : nameProblem(name);
}

function nameProblem(name: string): string[] {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return [`${JSON.stringify(name)} is no name of a variable.`];
  if (isRefused(name)) return [`${name} is refused: it could change what the program and its tools load.`];
  return [];
}

/** Regardless of case, as Windows takes names. */
function isRefused(name: string): boolean {
  return matches(name.toUpperCase(), refused);
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
