// A vault in a temporary folder, with another person's folder and a secret beside it, and its tools called as
// the engine calls them.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import type { ToolSource } from '../../../src/domain/tool.ts';
import { createVaultTools, type VaultOptions } from '../../../src/tools/vault/source.ts';

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

  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    { person = 'anna', signal = new AbortController().signal } = {},
  ): Promise<string> {
    const tool = (await this.source.tools()).find((tool) => tool.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const result = await tool.run(input, {
      person,
      sessionId: randomUUID(),
      signal,
      emit: () => Promise.resolve(),
      progress: () => undefined,
      askPermission: () => Promise.resolve({ behavior: 'deny' }),
    });
    if (typeof result.content !== 'string') throw new TypeError('expected text');
    return result.content;
  }

  /** The sentence with which a call is refused. Any error but a ParleyError is a bug and fails the test. */
  async refusal(name: string, input: Readonly<Record<string, unknown>>): Promise<string> {
    try {
      return await this.call(name, input).then((content) => `not refused: ${content}`);
    } catch (thrown) {
      if (thrown instanceof ParleyError) return thrown.message;
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.base, { recursive: true, force: true });
  }
}
