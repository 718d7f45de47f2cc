// The architecture as rules: who may import whom. ARCHITECTURE.md tells the same in words;
// test/architecture.test.ts runs the rules and plants a violation of each.
const server = 'packages/server/src';
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Which packages a package may import. A new package gets a line here before it may import anything. */
const packages = {
  protocol: [],
  client: ['protocol'],
  'claude-cli': [],
  demo: [],
  'stand-ins': ['demo'],
  'recipe-vault': [],
  web: ['protocol', 'client'],
  server: ['protocol', 'client', 'claude-cli', 'demo', 'recipe-vault'],
};

/**
 * Technology that stays in one folder of the server, so that it can be exchanged there. The composition root and
 * the doctor, which look at every part, may know it too.
 */
const technology = {
  sql: { home: 'stores', modules: 'kysely|libsql|@libsql' },
  fastify: { home: 'doors', modules: 'fastify|@fastify|fastify-type-provider-zod' },
  ripgrep: { home: 'tools/vault', modules: '@vscode/ripgrep' },
  'web-pages': { home: 'tools/web', modules: 'undici|turndown|linkedom|@mozilla/readability' },
};

/** Files without imports of ours that more than their own folder needs: how secrets look, where the demo is. */
const shared = ['config/secret', 'demo/layout'];

export default {
  forbidden: [
    forbid('no-circular', 'A cycle has no place to start reading.', {}, { circular: true }),
    forbid(
      'resolvable',
      'An import that leads nowhere would slip past every other rule.',
      {},
      { couldNotResolve: true },
    ),

    // Packages
    forbid(
      'packages-are-listed',
      'A package says in this file what it may import.',
      { path: `^packages/(?!(${Object.keys(packages).join('|')})/)` },
      {},
    ),
    ...Object.entries(packages).map(([name, others]) =>
      forbid(
        `${name}-imports-what-it-may`,
        `The product code of ${name} imports these packages of Parley and no others: ${others.join(', ') || 'none'}.`,
        { path: `^packages/${name}/src/` },
        { path: `^packages/(?!(${[name, ...others].join('|')})/)` },
      ),
    ),
    forbid(
      'packages-by-name',
      'A package is imported by its name, not by a path into its inside.',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    ),
    forbid(
      'no-test-in-src',
      'Product code imports no tests, benchmarks or examples.',
      { path: '^packages/[^/]+/src/' },
      { path: '^packages/[^/]+/(test|bench|examples)/' },
    ),
    forbid(
      'stand-ins-are-for-tests',
      'The stand-ins are test equipment: only tests, benchmarks and scripts import them.',
      { path: '^packages/(?!stand-ins/)[^/]+/src/' },
      { path: '^packages/stand-ins/' },
    ),
    forbid(
      'declared-dependencies',
      'What product code imports from npm stands in its own package.json, not only for development.',
      { path: '^packages/[^/]+/src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
    forbid(
      'protocol-is-pure',
      'protocol knows zod alone, so that it runs in the browser.',
      { path: '^packages/protocol/src/' },
      { pathNot: ['^packages/protocol/src/', '(^|/)node_modules/zod/'] },
    ),

    // Inside the server
    forbid(
      'folders-know-the-domain',
      'A folder of the server knows the domain, basics and content, not its siblings. Only what puts the parts together knows them all.',
      { path: `^${server}/([^/]+)/`, pathNot: `^${server}/(app|cli|demo)/` },
      {
        path: `^${server}/`,
        pathNot: [
          `^${server}/$1/`,
          `^${server}/(domain|basics|content)/`,
          `^${server}/(${shared.join('|')})\\.ts$`,
        ],
      },
    ),
    forbid(
      'leaves-apart',
      'One engine, tool source, store or door does not import another of its kind.',
      { path: `^${server}/(engines|tools|stores|doors)/([^/]+)/` },
      { path: `^${server}/$1/[^/]+/`, pathNot: `^${server}/$1/$2/` },
    ),
    forbid(
      'domain-is-pure',
      'domain holds ports and rules: no I/O, no technology.',
      { path: `^${server}/domain/` },
      { pathNot: [`^${server}/domain/`, '^packages/protocol/src/', '(^|/)node_modules/zod/'] },
    ),
    forbid(
      'gateway-knows-ports',
      'gateway works on ports and on basics that do no I/O: time, ids and storage are handed to it.',
      { path: `^${server}/gateway/` },
      {
        pathNot: [
          `^${server}/(domain|gateway)/`,
          `^${server}/basics/(backoff|bounded-map|keyed-queue)\\.ts$`,
          '^packages/protocol/src/',
        ],
      },
    ),
    forbid(
      'basics-know-nothing-of-parley',
      'basics holds patterns that would serve any program.',
      { path: `^${server}/basics/` },
      { path: '^packages/', pathNot: `^${server}/basics/` },
    ),
    forbid(
      'content-knows-protocol',
      'content works on texts and images, and knows what the protocol says about them.',
      { path: `^${server}/content/` },
      { path: '^packages/', pathNot: [`^${server}/content/`, '^packages/protocol/src/'] },
    ),
    forbid(
      'nothing-imports-the-root',
      'Only the command line imports the composition root.',
      { path: `^${server}/`, pathNot: `^${server}/(app|cli|main|index)(/|\\.ts$)` },
      { path: `^${server}/(app|cli|main)(/|\\.ts$)` },
    ),
    forbid(
      'only-claude-code-drives',
      'Only the claude-code engine knows the driver, and the doctor, who looks whether it finds its program.',
      { path: `^${server}/`, pathNot: `^${server}/(engines/claude-code|cli/checks)/` },
      { path: '^packages/claude-cli/' },
    ),
    forbid(
      'only-demo-mode-runs-the-demo',
      'Only demo mode imports the demo package.',
      { path: `^${server}/`, pathNot: `^${server}/demo/` },
      { path: '^packages/demo/' },
    ),
    ...Object.entries(technology).map(([name, { home, modules }]) =>
      forbid(
        `${name}-stays-in-its-folder`,
        `This technology is known in ${home} alone.`,
        { path: `^${server}/`, pathNot: `^${server}/(${home}/|app\\.ts$|cli/checks/)` },
        { path: `(^|/)node_modules/(${modules})/` },
      ),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['@parley/source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
