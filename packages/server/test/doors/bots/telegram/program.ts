// The real `claude` program behind a bot, with its own home and the Anthropic stand-in as the API.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AnthropicStandIn, noFallback, startAnthropicStandIn } from '@parley/stand-ins';
import { onTestFinished } from 'vitest';
import { type ClaudeCodeEngine, createClaudeCodeEngine } from '../../../../src/engines/claude-code/engine.ts';
import { createStandInHomes } from '../../../../src/engines/claude-code/program-homes.ts';
import { createWorkFolders } from '../../../../src/engines/claude-code/work-folders.ts';
import { trustBelow } from '../../../support/folder-trust.ts';
import { freshFolder } from '../harness.ts';

export interface Workplace {
  readonly folder: string;
  readonly workspace: string;
  readonly anthropic: AnthropicStandIn;
  /** A new engine over the same transcripts, as after a restart of the server. */
  newEngine(limits?: { readonly maxProcesses?: number }): Promise<ClaudeCodeEngine>;
}

const files = {
  'README.md': '# Greenhouse\n\nWaters plants by the hour.\n',
  'backend/pump.ts': 'export const litresPerHour = 12;\n',
  'web/index.html': '<h1>Greenhouse</h1>\n',
};

export async function freshWorkplace(): Promise<Workplace> {
  const folder = freshFolder();
  const workspace = join(folder, 'workspace');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const anthropic = await startAnthropicStandIn({ fallback: noFallback });
  onTestFinished(() => anthropic.close());
  return {
    folder,
    workspace,
    anthropic,
    newEngine: async ({ maxProcesses = 8 } = {}) => {
      const host = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };
      const homes = createStandInHomes(host, {
        owner: 'petra',
        ownersFolder: join(folder, 'home'),
        folderOf: (person) => join(folder, 'people', person),
        upstream: { baseUrl: anthropic.url, apiKey: 'stand-in-key' },
      });
      return createClaudeCodeEngine({
        homes,
        trust: trustBelow(folder, createWorkFolders({ roots: [{ path: workspace }] })),
        defaults: {},
        limits: { maxProcesses, warmProcesses: 0, idleMs: 600_000 },
        clock: { now: () => Date.now() },
        newId: () => crypto.randomUUID(),
      });
    },
  };
}
