// Builds the environment of an MCP program from an explicit list of variables.
import { ParleyError } from '@parley/protocol';
import { isUnsafeVariable } from '../../basics/unsafe-variable.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that programs need to find their files and to use the right language. */
const inherited = `
  PATH HOME USER LOGNAME SHELL TERM LANG LC_ALL LC_CTYPE TZ TMPDIR TMP TEMP
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR
  SystemRoot SYSTEMROOT ComSpec PATHEXT USERPROFILE APPDATA LOCALAPPDATA
`
  .trim()
  .split(/\s+/);

export function childEnvironment(host: Variables, given: Readonly<Record<string, string>>) {
  const refused = Object.keys(given).filter(isUnsafeVariable);
  if (refused.length > 0) {
    throw new ParleyError(
      'invalid',
      `${refused.join(', ')} cannot be set for an MCP server: it could make the program load foreign code.`,
    );
  }
  const passed = inherited.flatMap((name) => {
    const value = host[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...given };
}
