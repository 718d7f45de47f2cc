// Finds the `claude` program: the given path, else PATH, else the binary in one of the npm packages that contain it for
// this platform, else the script in an older package.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { ClaudeCliError } from '../errors.ts';

export interface DiscoveryOptions {
  /** Path of the program. If set, nothing else is tried. */
  readonly program?: string | undefined;
  /** The value of PATH. */
  readonly searchPath?: string | undefined;
  /** Files to resolve packages from; by default this module and the host's main script. */
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

/** How to start a program. A script runs in the same Node as this process, which may not be on PATH. */
export function programCommand(program: string): { readonly file: string; readonly args: readonly string[] } {
  return isScript(program) ? { file: process.execPath, args: [program] } : { file: program, args: [] };
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

const families = ['@anthropic-ai/claude-agent-sdk', '@anthropic-ai/claude-code'] as const;

function inPackages(resolveFrom: readonly string[]): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  const binaries = resolveFrom.flatMap((from) =>
    families.flatMap((family) =>
      [`${family}-${platform}`, `${family}-${platform}-musl`].flatMap((name) =>
        fileIn(packageFile(name, family, from), fileName),
      ),
    ),
  );
  const scripts = resolveFrom.flatMap((from) =>
    families.flatMap((family) => fileIn(familyFile(family, from), 'cli.js')),
  );
  return [...binaries, ...scripts].find(isProgram);
}

function fileIn(packageFile: string | undefined, name: string): string[] {
  return packageFile === undefined ? [] : [join(dirname(packageFile), name)];
}

/** A platform package is a dependency of its family's package, and may be installed below it. */
function packageFile(name: string, family: string, from: string): string | undefined {
  const direct = resolved(`${name}/package.json`, from);
  const parent = direct === undefined ? familyFile(family, from) : undefined;
  return parent === undefined ? direct : resolved(`${name}/package.json`, parent);
}

/** The package may not export its `package.json`, so any file in its folder will do. */
function familyFile(family: string, from: string): string | undefined {
  return resolved(`${family}/package.json`, from) ?? resolved(family, from);
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
    accessSync(path, isScript(path) ? constants.R_OK : constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isScript(path: string): boolean {
  return /\.[cm]?js$/.test(path);
}
