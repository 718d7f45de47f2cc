// A vault in a temporary folder, with another person's folder and a secret beside it, and its tools called as
// the engine calls them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ToolContext, ToolSource } from '../../../src/domain/tool.ts';
import { createVaultTools, type VaultOptions } from '../../../src/tools/vault/source.ts';
import { callTool, refusalOf } from '../calls.ts';

export const secret = 'the secret outside';

export class VaultHarness implements AsyncDisposable {
  readonly base: string;
  /** Anna's folder. */
  readonly root: string;
  readonly source: ToolSource;

  private constructor(base: string, options: Partial<VaultOptions>) {
    this.base = base;
    this.root = join(base, 'vault', 'anna');
    this.source = createVaultTools({ root: (person) => join(base, 'vault', person), ...options });
  }

  static async start(options: Partial<VaultOptions> = {}): Promise<VaultHarness> {
    const harness = new VaultHarness(await mkdtemp(join(tmpdir(), 'parley-vault-')), options);
    await mkdir(harness.root, { recursive: true });
    await harness.putOutside('vault/anna-evil/secret.md', secret);
    await harness.putOutside('vault/berta/secret.md', secret);
    await harness.putOutside('outside/secret.md', secret);
    return harness;
  }

  async put(path: string, content: string | Uint8Array): Promise<void> {
    await this.putOutside(join('vault/anna', path), content);
  }

  async putOutside(path: string, content: string | Uint8Array): Promise<void> {
    const full = join(this.base, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content);
  }

  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    context: Partial<ToolContext> = {},
  ): Promise<string> {
    return callTool(this.source, name, input, context);
  }

  refusal(name: string, input: Readonly<Record<string, unknown>>): Promise<string> {
    return refusalOf(this.call(name, input));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.base, { recursive: true, force: true });
  }
}
