// Builds the child's environment from an allow list. Nothing is inherited by accident, and variables that could make
// the program or its tools load foreign code are refused even if they are set on purpose.
import { ClaudeCliError } from '../errors.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Inherited from the host if set. A trailing `*` matches anything. */
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
  /** The host's variables. Only those on the allow list are inherited. */
  readonly host: Variables;
  /** Further names to inherit. */
  readonly alsoInherit?: readonly string[];
  /** Variables set on purpose; they override the host's. */
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
  if (typeof value !== 'string') return [...nameProblem(name), `${name} must be text.`];
  return value.includes('\0')
    ? [...nameProblem(name), `${name} must not contain a NUL character.`]
    : nameProblem(name);
}

function nameProblem(name: string): string[] {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return [`${JSON.stringify(name)} is not a valid variable name.`];
  if (isRefused(name))
    return [`${name} is not allowed: it could change what the program and its tools load.`];
  return [];
}

/** Ignores case, as Windows does. */
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
