// Finds the `claude` program: the given path, else PATH, else the binary in one of the npm packages that contain it for
// this platform.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { ClaudeCliError } from '../errors.ts';

export interface DiscoveryOptions {
  /** Path of the program. If set, nothing else is tried. */
  readonly program?: string | undefined;
  /** The value of PATH. */
  readonly searchPath?: string | undefined;
  /** Files from which to look up packages; by default this module and the host's main script. */
  readonly resolveFrom?: readonly string[];
}

export function discoverProgram(options: DiscoveryOptions = {}): string {
  if (options.program !== undefined) return givenProgram(options.program);
  const found = onPath(options.searchPath ?? '') ?? inPackages(options.resolveFrom ?? defaultPlaces());
  if (found !== undefined) return found;
  throw new ClaudeCliError(
    'program_not_found',
    'The claude program is neither on PATH nor in an installed npm package. ' +
      'Install @anthropic-ai/claude-code with its optional dependencies, or set the path of the program.',
  );
}

function givenProgram(program: string): string {
  const path = isAbsolute(program) ? program : resolve(program);
  if (isProgram(path)) return path;
  throw new ClaudeCliError('program_not_found', `There is no executable program at ${path}.`);
}

const fileName = process.platform === 'win32' ? 'claude.exe' : 'claude';

function onPath(searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders
    .map((folder) => join(folder, fileName))
    .find((path) => isProgram(path) && !isPlaceholder(path));
}

/** Larger than the npm package's placeholder, and far smaller than the program. */
const MAX_PLACEHOLDER_BYTES = 64 * 1024;

/** If install scripts did not run, the package's command only prints how to run them. */
function isPlaceholder(path: string): boolean {
  const target = realpathSync(path);
  return (
    target.endsWith(join('claude-code', 'bin', 'claude.exe')) && statSync(target).size < MAX_PLACEHOLDER_BYTES
  );
}

/** If packages are not hoisted, only the host's own script can resolve the host's dependencies. */
function defaultPlaces(): readonly string[] {
  const main = process.argv[1];
  return main === undefined ? [import.meta.url] : [import.meta.url, resolve(main)];
}

function inPackages(resolveFrom: readonly string[]): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  for (const from of resolveFrom) {
    for (const family of ['@anthropic-ai/claude-agent-sdk', '@anthropic-ai/claude-code']) {
      for (const name of [`${family}-${platform}`, `${family}-${platform}-musl`]) {
        const folder = packageFolder(name, family, from);
        const path = folder === undefined ? undefined : join(folder, fileName);
        if (path !== undefined && isProgram(path)) return path;
      }
    }
  }
  return undefined;
}

/** A platform package is a dependency of its family's package, and may be installed below it. */
function packageFolder(name: string, family: string, from: string): string | undefined {
  const direct = resolved(`${name}/package.json`, from);
  if (direct !== undefined) return dirname(direct);
  const parent = resolved(`${family}/package.json`, from) ?? resolved(family, from);
  const below = parent === undefined ? undefined : resolved(`${name}/package.json`, parent);
  return below === undefined ? undefined : dirname(below);
}

function resolved(specifier: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(specifier);
  } catch {
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
