// The architecture as rules: who may import whom. ARCHITECTURE.md says the same in prose; test/architecture.test.ts runs
// the rules and plants a violation of each.
const server = 'packages/server/src';
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Which packages a package may import. A new package needs a line here before it may import anything. */
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
 * Technology that stays in one folder of the server, so that it can be replaced there. The composition root and the
 * doctor, which look at every part, may use it too.
 */
const technology = {
  sql: { home: 'stores', modules: 'kysely|libsql|@libsql|pg' },
  fastify: { home: 'doors', modules: 'fastify|@fastify|fastify-type-provider-zod' },
  ripgrep: { home: 'folders', modules: '@vscode/ripgrep' },
  'web-pages': { home: 'tools/web', modules: 'turndown|linkedom|@mozilla/readability' },
  undici: { home: 'tools/web|basics', modules: 'undici' },
};

/** Files without imports of ours that several folders need: what secrets look like, where the demo is. */
const shared = ['config/secret', 'demo/layout'];

export default {
  forbidden: [
    forbid('no-circular', 'A cycle has no place to start reading.', {}, { circular: true }),
    forbid(
      'resolvable',
      'An import that does not resolve would slip past every other rule.',
      {},
      { couldNotResolve: true },
    ),

    // Packages
    forbid(
      'packages-are-listed',
      'Every package must be listed in this file with what it may import.',
      { path: `^packages/(?!(${Object.keys(packages).join('|')})/)` },
      {},
    ),
    ...Object.entries(packages).map(([name, others]) =>
      forbid(
        `${name}-imports-what-it-may`,
        `The product code of ${name} may only import these packages of Parley: ${others.join(', ') || 'none'}.`,
        { path: `^packages/${name}/src/` },
        { path: `^packages/(?!(${[name, ...others].join('|')})/)` },
      ),
    ),
    forbid(
      'packages-by-name',
      'A package is imported by its name, not by a path into it.',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    ),
    forbid(
      'no-test-in-src',
      'Product code does not import tests, benchmarks, fuzz targets, the soak or examples.',
      { path: '^packages/[^/]+/src/' },
      { path: '^packages/[^/]+/(test|bench|fuzz|soak|examples)/' },
    ),
    forbid(
      'stand-ins-are-for-tests',
      'The stand-ins are test equipment: only tests, benchmarks and scripts import them.',
      { path: '^packages/(?!stand-ins/)[^/]+/src/' },
      { path: '^packages/stand-ins/' },
    ),
    forbid(
      'declared-dependencies',
      'What product code imports from npm must be a regular dependency in its own package.json.',
      { path: '^packages/[^/]+/src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
    forbid(
      'protocol-is-pure',
      'protocol imports only zod, so that it runs in the browser.',
      { path: '^packages/protocol/src/' },
      { pathNot: ['^packages/protocol/src/', '(^|/)node_modules/zod/'] },
    ),

    // Inside the server
    forbid(
      'folders-know-the-domain',
      'A folder of the server knows the domain, basics, content and folders, not its siblings. Only the code that wires the parts together knows them all.',
      { path: `^${server}/([^/]+)/`, pathNot: `^${server}/(app|cli|demo)/` },
      {
        path: `^${server}/`,
        pathNot: [
          `^${server}/$1/`,
          `^${server}/(domain|basics|content|folders)/`,
          `^${server}/(${shared.join('|')})\\.ts$`,
        ],
      },
    ),
    forbid(
      'leaves-apart',
      'One engine, tool source, store or door does not import another of its kind. stores/sql is what stores have in common.',
      { path: `^${server}/(engines|tools|stores|doors)/([^/]+)/` },
      { path: `^${server}/$1/[^/]+/`, pathNot: [`^${server}/$1/$2/`, `^${server}/stores/sql/`] },
    ),
    forbid(
      'domain-is-pure',
      'domain contains ports and rules: no I/O, no technology.',
      { path: `^${server}/domain/` },
      {
        pathNot: [
          `^${server}/domain/`,
          `^${server}/basics/group-by\\.ts$`,
          '^packages/protocol/src/',
          '(^|/)node_modules/zod/',
        ],
      },
    ),
    forbid(
      'gateway-knows-ports',
      'gateway works on ports, and on basics and texts that do no I/O: time, ids and storage are passed in.',
      { path: `^${server}/gateway/` },
      {
        pathNot: [
          `^${server}/(domain|gateway)/`,
          `^${server}/basics/(backoff|bounded-map|byte-budget|derived-id|group-by|keyed-queue|slots)\\.ts$`,
          `^${server}/content/kept-text\\.ts$`,
          '^packages/protocol/src/',
        ],
      },
    ),
    forbid(
      'basics-know-nothing-of-parley',
      'basics contains patterns that any program could use.',
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
      'Only the claude-code engine imports the driver, and the doctor, which checks whether the driver finds its program.',
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
        `Only ${home} may import this technology.`,
        { path: `^${server}/`, pathNot: `^${server}/((${home})/|app\\.ts$|cli/checks/)` },
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
