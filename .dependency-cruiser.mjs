// The architecture as rules: who may import whom. See ARCHITECTURE.md.
const server = 'packages/server/src';
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    forbid('no-circular', 'A cycle has no place to start reading.', {}, { circular: true }),
    forbid(
      'protocol-is-pure',
      'protocol knows zod alone, so that it runs in the browser.',
      { path: '^packages/protocol/src' },
      { pathNot: ['^packages/protocol/src', '^node_modules/zod'] },
    ),
    forbid(
      'claude-cli-stands-alone',
      'claude-cli is published: it knows nothing of Parley.',
      { path: '^packages/claude-cli/src' },
      { path: '^packages/(?!claude-cli)' },
    ),
    forbid(
      'stand-ins-stand-alone',
      'stand-ins replace outside services, they do not know Parley.',
      { path: '^packages/stand-ins/src' },
      { path: '^packages/(?!stand-ins)' },
    ),
    forbid(
      'domain-is-pure',
      'domain holds ports and rules: no I/O, no technology.',
      { path: `^${server}/domain` },
      { pathNot: [`^${server}/domain`, '^packages/protocol', '^node_modules/zod'] },
    ),
    forbid(
      'gateway-knows-ports',
      'gateway works on ports alone.',
      { path: `^${server}/gateway` },
      {
        pathNot: [`^${server}/(domain|gateway)`, '^packages/protocol', '^node:'],
        dependencyTypesNot: ['core'],
      },
    ),
    ...['engines', 'tools', 'stores', 'doors'].map((layer) =>
      forbid(
        `${layer}-do-not-know-siblings`,
        'Leaves know the domain, not each other.',
        { path: `^${server}/${layer}/` },
        { path: `^${server}/(?!${layer}/|domain/)` },
      ),
    ),
    ...['engines', 'tools', 'stores', 'doors'].map((layer) =>
      forbid(
        `${layer}-apart`,
        'One leaf does not import another of its kind.',
        { path: `^${server}/${layer}/([^/]+)/` },
        { path: `^${server}/${layer}/[^/]+/`, pathNot: `^${server}/${layer}/$1/` },
      ),
    ),
    forbid(
      'only-claude-code-drives',
      'Only the claude-code engine knows the driver.',
      { path: `^${server}/`, pathNot: [`^${server}/engines/claude-code/`, `^${server}/(app|cli|demo)`] },
      { path: '^packages/claude-cli' },
    ),
    forbid(
      'app-is-the-root',
      'Nothing but the command line imports the composition root.',
      { path: `^${server}/(?!app|cli|main)` },
      { path: `^${server}/app` },
    ),
    forbid(
      'no-test-in-src',
      'Product code never imports tests.',
      { path: '^packages/[^/]+/src' },
      { path: '^packages/[^/]+/(test|bench)' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['@parley/source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
