// The real `claude` program with the Anthropic stand-in behind it, in its own home and working directory.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnthropicStandIn, noFallback, startAnthropicStandIn } from '@parley/stand-ins';
import {
  createProvider,
  type Provider,
  type ProviderOptions,
  type Session,
  type SessionConfig,
} from '../../src/index.ts';

export interface RealProgram {
  readonly standIn: AnthropicStandIn;
  readonly provider: Provider;
  readonly home: string;
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  createSession(config?: SessionConfig, id?: string): Session;
  close(): Promise<void>;
}

export async function openRealProgram(options: Partial<ProviderOptions> = {}): Promise<RealProgram> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'claude-cli-')));
  const home = join(root, 'home');
  const workingDir = join(root, 'work');
  await Promise.all([mkdir(home), mkdir(workingDir)]);
  const standIn = await startAnthropicStandIn({ fallback: noFallback });
  const environment = {
    HOME: home,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ANTHROPIC_BASE_URL: standIn.url,
    ANTHROPIC_API_KEY: 'stand-in-key',
    IS_SANDBOX: '1',
  };
  const provider = createProvider({ environment, ...options });
  return {
    standIn,
    provider,
    home,
    workingDir,
    environment,
    createSession: (config = {}, id) =>
      provider.createSession(
        {
          workingDir,
          ...config,
          environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ...config.environment },
        },
        id,
      ),
    close: async () => {
      await provider.close();
      await standIn.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
