// Environment variables that make a program load foreign code. No child process may get one.

const unsafe =
  /^(NODE_OPTIONS|NODE_PATH|(BUN|LD|DYLD|GIT|BASH_FUNC)_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS|CDPATH|PYTHON(STARTUP|PATH|HOME)|PERL5(OPT|LIB)|RUBY(OPT|LIB)|_?JAVA_(TOOL_)?OPTIONS)$/;

/** Ignores case, as Windows does. */
export function isUnsafeVariable(name: string): boolean {
  return unsafe.test(name.toUpperCase());
}
