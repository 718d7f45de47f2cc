// The Chromium from npm, unpacked into a folder that only this user can change. The package itself unpacks to a fixed
// path in the shared temporary folder, where others could plant a program, and where a second user cannot run it.
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const packageFolder = join(dirname(require.resolve('@sparticuz/chromium')), '..', '..');
const unpack = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;

/** Returns the path of the program. Unpacks it first if this user has not done so yet. */
export async function chromiumFromNpm(cache = join(packageFolder, '..', '..', '.cache')) {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const user = process.getuid?.() ?? 'user';
  const folder = join(cache, `chromium-${version}-${user}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    // Only its owner can use a folder from mkdtemp.
    const draft = mkdtempSync(`${folder}-`);
    try {
      const env = { ...process.env, TMPDIR: draft };
      await promisify(execFile)(process.execPath, ['-e', unpack], { cwd: packageFolder, env });
      renameSync(draft, folder);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // Another test file may have been faster.
      if (!existsSync(folder)) throw error;
    }
  }
  const { uid, mode } = lstatSync(folder);
  if (process.getuid && (uid !== user || (mode & 0o077) !== 0))
    throw new Error(`others can change ${folder}. Delete it, and try again.`);
  return join(folder, 'chromium');
}
