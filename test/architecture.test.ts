// Runs the architecture rules on the code, and shows that each rule can fail.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { doors } from '../packages/server/src/domain/doors.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Takes seconds on an idle machine, more on a busy one. */
const cruiseTimeoutMs = 120_000;

describe('the architecture', () => {
  let found: Cruise;
  beforeAll(() => {
    found = cruise(root);
  }, cruiseTimeoutMs);

  it('holds for every module of every package', () => {
    const { violations, modules } = found;

    expect(violations).toEqual([]);
    // A run that sees no modules would find no violations.
    expect(modules.length).toBeGreaterThan(100);
    for (const name of readdirSync(join(root, 'packages'))) {
      expect(modules.some((path) => path.startsWith(`packages/${name}/src/`))).toBe(true);
    }
    for (const folder of ['domain', 'gateway', 'engines', 'tools', 'stores', 'doors', 'config']) {
      expect(modules.some((path) => path.startsWith(`packages/server/src/${folder}/`))).toBe(true);
    }
  });

  it('resolves workspace packages to their source, npm packages to files and Node modules to themselves', () => {
    const targets = (from: RegExp, to: RegExp) =>
      found.dependencies.filter((edge) => from.test(edge.from) && to.test(edge.to)).length;

    expect(
      targets(/^packages\/server\/src\/gateway\//, /^packages\/protocol\/src\/index\.ts$/),
    ).toBeGreaterThan(0);
    expect(targets(/^packages\/protocol\/src\//, /^node_modules\/zod\//)).toBeGreaterThan(0);
    expect(targets(/^packages\/demo\/src\//, /^http$/)).toBeGreaterThan(0);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const walkthrough = text.slice(text.indexOf('## One message'), text.indexOf('## Where data is stored'));
  const named = [...walkthrough.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].flatMap(([, path = '']) =>
    /^\/|^messages-api$/.test(path) ? [] : [path],
  );

  it('walks through many files', () => {
    expect(named.length).toBeGreaterThan(30);
  });

  it.each([...new Set(named)])('names %s, which exists', (path) => {
    const file = path.startsWith('packages/') ? path : `packages/server/src/${path}`;
    expect(existsSync(join(root, file))).toBe(true);
  });
});

describe('the doors', () => {
  it.each([
    ['CONTEXT.md', /\*\*door\*\*: A way in\. There are five: ([^.]*)\./],
    ['README.md', /\| Door .*\n\|[ -|]*\n((?:\|.*\n)+)/],
  ])('are the same in the code and in %s', (file, list) => {
    const [, listed = ''] = list.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    const named =
      listed
        .toLowerCase()
        .replaceAll(/^\| (\w+).*$/gm, '$1')
        .match(/\w+/g) ?? [];
    expect(named.filter((word) => !/^(the|and|over|http|websocket)$/.test(word))).toEqual([...doors]);
  });
});

describe('a planted violation', () => {
  const server = 'packages/server/src';
  /** For each rule, a file and an import that it must reject. */
  const planted: readonly [rule: string, file: string, imported: string][] = [
    ['no-circular', `${server}/domain/egg.ts`, './hen.ts'],
    ['resolvable', `${server}/doors/http/lost.ts`, './nowhere.ts'],
    ['packages-are-listed', 'packages/newcomer/src/index.ts', '@parley/protocol'],
    ['protocol-imports-what-it-may', 'packages/protocol/src/up.ts', '@parley/claude-cli'],
    ['client-imports-what-it-may', 'packages/client/src/up.ts', '@parley/claude-cli'],
    ['claude-cli-imports-what-it-may', 'packages/claude-cli/src/up.ts', '@parley/protocol'],
    ['demo-imports-what-it-may', 'packages/demo/src/up.ts', '@parley/protocol'],
    ['stand-ins-imports-what-it-may', 'packages/stand-ins/src/up.ts', '@parley/protocol'],
    ['recipe-vault-imports-what-it-may', 'packages/recipe-vault/src/up.ts', '@parley/protocol'],
    ['web-imports-what-it-may', 'packages/web/src/up.ts', '@parley/claude-cli'],
    ['server-imports-what-it-may', `${server}/cli/up.ts`, '@parley/newcomer'],
    ['packages-by-name', `${server}/cli/path.ts`, '../../../protocol/src/index.ts'],
    ['no-test-in-src', `${server}/cli/test.ts`, '../../test/support.ts'],
    ['declared-dependencies', `${server}/cli/undeclared.ts`, 'undeclared'],
    ['protocol-is-pure', 'packages/protocol/src/node.ts', 'node:fs'],
    ['protocol-is-pure', 'packages/protocol/src/npm.ts', 'pino'],
    ['folders-know-the-domain', `${server}/doors/http/inside.ts`, '../../gateway/gateway.ts'],
    ['folders-know-the-domain', `${server}/engines/messages-api/tool.ts`, '../../tools/vault/index.ts'],
    ['folders-know-the-domain', `${server}/somewhere/else.ts`, '../gateway/gateway.ts'],
    ['leaves-apart', `${server}/tools/web/sibling.ts`, '../vault/index.ts'],
    ['domain-is-pure', `${server}/domain/node.ts`, 'node:fs'],
    ['domain-is-pure', `${server}/domain/npm.ts`, 'pino'],
    ['domain-is-pure', `${server}/domain/files.ts`, '../basics/atomic-file.ts'],
    ['gateway-knows-ports', `${server}/gateway/node.ts`, 'node:fs'],
    ['gateway-knows-ports', `${server}/gateway/npm.ts`, 'pino'],
    ['gateway-knows-ports', `${server}/gateway/files.ts`, '../basics/atomic-file.ts'],
    ['gateway-knows-ports', `${server}/gateway/text.ts`, '../content/text.ts'],
    ['basics-know-nothing-of-parley', `${server}/basics/port.ts`, '../domain/gateway.ts'],
    ['basics-know-nothing-of-parley', `${server}/basics/schema.ts`, '@parley/protocol'],
    ['content-knows-protocol', `${server}/content/port.ts`, '../domain/gateway.ts'],
    ['nothing-imports-the-root', `${server}/demo/root.ts`, '../app.ts'],
    ['only-claude-code-drives', `${server}/cli/driver.ts`, '@parley/claude-cli'],
    ['only-demo-mode-runs-the-demo', `${server}/cli/demo.ts`, '@parley/demo'],
    ['stand-ins-are-for-tests', `${server}/demo/stand-in.ts`, '@parley/stand-ins'],
    ['stand-ins-are-for-tests', 'packages/demo/src/stand-in.ts', '@parley/stand-ins'],
    ['sql-stays-in-its-folder', `${server}/logging/sql.ts`, 'kysely'],
    ['fastify-stays-in-its-folder', `${server}/cli/fastify.ts`, '@fastify/helmet'],
    ['ripgrep-stays-in-its-folder', `${server}/tools/web/ripgrep.ts`, '@vscode/ripgrep'],
    ['web-pages-stays-in-its-folder', `${server}/doors/http/page.ts`, 'turndown'],
    ['undici-stays-in-its-folder', `${server}/doors/http/fetch.ts`, 'undici'],
  ];
  /** Imports that no rule may reject. */
  const allowed: readonly [file: string, imported: string][] = [
    // The cycle is reported once, for the egg.
    [`${server}/domain/hen.ts`, './egg.ts'],
    [`${server}/app.ts`, './gateway/gateway.ts'],
    [`${server}/cli/serve.ts`, '../app.ts'],
    [`${server}/cli/checks/programs.ts`, '@vscode/ripgrep'],
    [`${server}/cli/checks/driver.ts`, '@parley/claude-cli'],
    [`${server}/config/load.ts`, '../demo/layout.ts'],
    [`${server}/demo/layout.ts`, '../domain/gateway.ts'],
    [`${server}/demo/demo.ts`, '@parley/demo'],
    [`${server}/doors/http/door.ts`, '@fastify/helmet'],
    [`${server}/doors/http/port.ts`, '../../domain/gateway.ts'],
    [`${server}/engines/claude-code/engine.ts`, '@parley/claude-cli'],
    [`${server}/gateway/gateway.ts`, '../domain/gateway.ts'],
    [`${server}/domain/gateway.ts`, '@parley/protocol'],
    [`${server}/domain/groups.ts`, '../basics/group-by.ts'],
    [`${server}/gateway/bounded.ts`, '../basics/bounded-map.ts'],
    [`${server}/gateway/kept.ts`, '../content/kept-text.ts'],
    [`${server}/basics/bounded-map.ts`, 'pino'],
    [`${server}/basics/atomic-file.ts`, 'node:fs'],
    [`${server}/basics/group-by.ts`, './bounded-map.ts'],
    [`${server}/content/kept-text.ts`, './text.ts'],
    [`${server}/content/text.ts`, '@parley/protocol'],
    [`${server}/tools/web/text.ts`, '../../content/text.ts'],
    [`${server}/stores/sqlite/store.ts`, 'kysely'],
    [`${server}/folders/ripgrep.ts`, '@vscode/ripgrep'],
    [`${server}/tools/vault/index.ts`, '../../folders/ripgrep.ts'],
    [`${server}/tools/web/fetch.ts`, 'undici'],
    [`${server}/basics/outgoing.ts`, 'undici'],
    ['packages/protocol/src/schema.ts', 'zod'],
    ['packages/claude-cli/src/process.ts', 'node:child_process'],
    ['packages/server/test/app.test.ts', '@parley/stand-ins'],
    ['packages/server/bench/door.ts', '@parley/stand-ins'],
    ['packages/stand-ins/src/stand-in.ts', '@parley/demo'],
  ];
  /** The npm packages that the planted files import; the server declares all except `undeclared`. */
  const npm = [
    'zod',
    'pino',
    'kysely',
    '@fastify/helmet',
    '@vscode/ripgrep',
    'undici',
    'turndown',
    'undeclared',
  ];

  let found: Cruise;
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-architecture-'));
    try {
      plant(folder);
      found = cruise(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, cruiseTimeoutMs);

  it('exists for every rule', () => {
    const named = new Set(planted.map(([rule]) => rule));
    expect([...named].sort()).toEqual([...found.rules].sort());
  });

  it('is reported by the rule that it breaks, and no rule reports an allowed import', () => {
    const { violations } = found;
    const reported = (rule: string, file: string) =>
      violations.some((violation) => violation.rule === rule && violation.from === file);
    expect(planted.filter(([rule, file]) => !reported(rule, file))).toEqual([]);
    const allowedFiles = allowed.map(([file]) => file);
    expect(violations.filter(({ from }) => allowedFiles.includes(from))).toEqual([]);
  });

  /** Writes a small repository with the same rules, all planted violations and all allowed imports. */
  function plant(folder: string): void {
    for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'tsconfig.base.json']) {
      cpSync(join(root, file), join(folder, file));
    }
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    };
    const manifest = (file: string, fields: object) =>
      write(file, JSON.stringify({ type: 'module', ...fields }));

    manifest('package.json', { name: 'planted' });
    for (const name of npm) {
      manifest(`node_modules/${name}/package.json`, { name, main: 'index.js' });
      write(`node_modules/${name}/index.js`, 'export {};');
    }
    const dependencies = Object.fromEntries(
      npm.filter((name) => name !== 'undeclared').map((name) => [name, '1']),
    );
    for (const name of [
      'protocol',
      'client',
      'claude-cli',
      'demo',
      'stand-ins',
      'recipe-vault',
      'newcomer',
      'server',
    ]) {
      manifest(`packages/${name}/package.json`, {
        name: `@parley/${name}`,
        exports: './src/index.ts',
        dependencies,
      });
      write(`packages/${name}/src/index.ts`, 'export {};');
      mkdirSync(join(folder, 'node_modules/@parley'), { recursive: true });
      symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@parley', name), 'dir');
    }
    write('packages/server/test/support.ts', 'export {};');
    for (const [file, imported] of [
      ...allowed,
      ...planted.map(([, file, imported]) => [file, imported] as const),
    ]) {
      write(file, `import '${imported}';\n`);
    }
  }
});

interface Cruise {
  /** The names of the active rules. */
  readonly rules: readonly string[];
  readonly modules: readonly string[];
  readonly dependencies: readonly { readonly from: string; readonly to: string }[];
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
}

/** What dependency-cruiser, with the rules in `folder`, finds in its packages. */
function cruise(folder: string): Cruise {
  const program = fileURLToPath(import.meta.resolve('dependency-cruiser'));
  const depcruise = join(dirname(program), '../../bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [depcruise, 'packages', '--config', '.dependency-cruiser.mjs', '--output-type', 'json'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (stdout === '') throw new Error(`dependency-cruiser printed nothing:\n${stderr}`);
  const result = JSON.parse(stdout) as {
    modules: { source: string; dependencies: { resolved: string }[] }[];
    summary: {
      ruleSetUsed: { forbidden: { name: string }[] };
      violations: { rule: { name: string }; from: string; to: string }[];
    };
  };
  return {
    rules: result.summary.ruleSetUsed.forbidden.map((rule) => rule.name),
    modules: result.modules.map((module) => module.source),
    dependencies: result.modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
    ),
    violations: result.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}
