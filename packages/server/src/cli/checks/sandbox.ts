// Is there a sandbox for Claude Code, and does the configuration need one?
import { findSandbox } from '../../engines/claude-code/sandbox/find-sandbox.ts';
import { noSandboxText } from '../../engines/claude-code/sandbox/sandbox.ts';
import { broken, type Check, ok, warning } from './check.ts';

export const sandbox: Check = {
  name: 'Sandbox',
  async run({ config, environment }) {
    const modes = config.workRoots.map((root) => root.sandbox ?? config.sandbox);
    const off = modes.filter((mode) => mode === 'off').length;
    if (off === modes.length && (off > 0 || config.sandbox === 'off')) {
      const detail = 'turned off: claude can read and write everything that the user who runs Parley can';
      return [warning(detail, 'Set PARLEY_SANDBOX to auto or required, unless that is what you want.')];
    }
    const found = await findSandbox(environment['PATH']);
    const some = off > 0 ? `, but turned off for ${off} of ${modes.length} work folders` : '';
    if (found.kind !== 'none') return [ok(`${found.kind}${some}; the network stays open`)];
    const said = found.detail === undefined ? '' : ` (${found.detail})`;
    const finding = modes.includes('required') ? broken : warning;
    return [finding(`claude runs without one${said}`, sentence(noSandboxText(found.reason)))];
  },
};

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
