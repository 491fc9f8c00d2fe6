// The import table of ARCHITECTURE.md. Each room lists what it may import; everything else is refused.
const packages = {
  base: [],
  vsphere: ['base'],
  kube: ['base'],
  config: ['base'],
  program: ['base', 'config', 'kube', 'vsphere'],
  releases: ['base', 'config', 'vsphere', 'kube'],
  checks: ['base', 'config', 'vsphere', 'kube'],
  dashboard: ['base', 'config', 'kube'],
  gather: ['base', 'config', 'kube', 'vsphere', 'checks'],
  acts: ['base', 'kube', 'vsphere'],
  'csi-proto': ['base'],
  'linux-disks': ['base'],
  'vsphere-sim': ['base', 'vsphere'],
  'kube-sim': ['base', 'kube'],
  'sim-world': ['base', 'config', 'kube', 'vsphere', 'program', 'kube-sim', 'vsphere-sim'],
};
const simulators = ['vsphere-sim', 'kube-sim', 'sim-world'];
const libraries = Object.keys(packages).filter((name) => !simulators.includes(name));
const apps = {
  operator: { packages: libraries, apps: [] },
  cpi: { packages: libraries, apps: [] },
  csi: { packages: libraries, apps: [] },
  // The sandbox is where the simulators run for people; it starts the built programs and imports none of them.
  sandbox: { packages: [...libraries, 'vsphere-sim', 'kube-sim'], apps: [] },
  vdoctl: { packages: [...libraries, 'vsphere-sim', 'kube-sim'], apps: ['sandbox'] },
};
// Tests, and the builders and simulated test beds they share.
const testCode = '(\\.test\\.ts$|/src/testing/)';
const escaped = (text) => text.replaceAll('-', '\\-');
const room = (name) => `^packages/${escaped(name)}/`;
const anyOf = (names) => `^packages/(${names.map(escaped).join('|')})/`;

const packageRules = Object.entries(packages).map(([name, allowed]) => ({
  name: `packages-${name}`,
  severity: 'error',
  comment: `packages/${name} may import only: ${allowed.join(', ') || 'nothing here'}`,
  from: { path: room(name) },
  to: { path: '^(packages|apps|test|tools)/', pathNot: anyOf([name, ...allowed]) },
}));
const appRules = Object.entries(apps).map(([name, allowed]) => ({
  name: `apps-${name}`,
  severity: 'error',
  comment: `apps/${name} may import: ${[...allowed.packages, ...allowed.apps].join(', ')}; tests may use the simulators too`,
  from: { path: `^apps/${name}/`, pathNot: testCode },
  to: {
    path: '^(packages|apps|test|tools)/',
    pathNot: [...[name, ...allowed.apps].map((app) => `^apps/${app}/`), anyOf(allowed.packages)],
  },
}));
const appTestRules = Object.entries(apps).map(([name, allowed]) => ({
  name: `apps-${name}-tests`,
  severity: 'error',
  comment: `tests of apps/${name} may also use every simulator, and still no other app`,
  from: { path: `^apps/${name}/.*${testCode}` },
  to: { path: '^(apps|tools)/', pathNot: [name, ...allowed.apps].map((app) => `^apps/${app}/`) },
}));
// Inside vdoctl imports go one way, from the commands down.
const vdoctlLayers = ['commands', 'shared', 'output', 'cli'];
const vdoctlRules = vdoctlLayers.slice(1).map((layer, index) => ({
  name: `vdoctl-${layer}`,
  severity: 'error',
  comment: `imports in vdoctl go one way: ${vdoctlLayers.join(', ')}`,
  from: { path: `^apps/vdoctl/src/${layer}/`, pathNot: testCode },
  to: { path: `^apps/vdoctl/src/(${vdoctlLayers.slice(0, index + 1).join('|')})/` },
}));
// Inside csi the socket and the loops stand side by side on what does the work, and that on what it needs.
const csiLayers = [
  ['rpc', 'loops'],
  ['loops', 'rpc'],
  ['(volumes|placement|intents)', '(rpc|loops)'],
  ['(placement|intents)', 'volumes'],
];
const csiRules = csiLayers.map(([from, to]) => ({
  name: 'csi-one-way',
  severity: 'error',
  comment: 'imports in csi go one way: rpc or loops, volumes, placement and intents',
  from: { path: `^apps/csi/src/${from}/`, pathNot: testCode },
  to: { path: `^apps/csi/src/${to}/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...packageRules,
    ...appRules,
    ...appTestRules,
    {
      name: 'simulators-never-import-clients',
      severity: 'error',
      comment: "a simulator that shares the client's code shares its bugs: wire types and codec only",
      from: { path: '^packages/vsphere-sim/', pathNot: testCode },
      to: { path: '^packages/vsphere/', pathNot: '^packages/vsphere/src/wire/' },
    },
    {
      name: 'kube-sim-types-only',
      severity: 'error',
      from: { path: '^packages/kube-sim/', pathNot: testCode },
      to: { path: '^packages/kube/', pathNot: '^packages/kube/src/types/' },
    },
    {
      name: 'releases-and-checks-types-only',
      severity: 'error',
      comment: 'pure rooms see types of vsphere and kube, not their I/O',
      from: { path: '^packages/(releases|checks)/', pathNot: testCode },
      to: {
        path: '^packages/(vsphere|kube)/',
        pathNot: '^packages/(vsphere/src/wire|kube/src/types)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'vdoctl-folder-is-command',
      severity: 'error',
      comment: 'what two commands of vdoctl need is in shared/',
      from: { path: '^apps/vdoctl/src/commands/([^/]+)/' },
      to: { path: '^apps/vdoctl/src/commands/', pathNot: ['^apps/vdoctl/src/commands/$1/', '/all-commands\\.ts$'] },
    },
    ...vdoctlRules,
    ...csiRules,
    {
      name: 'csi-protocol-in-rpc',
      severity: 'error',
      comment: 'protobuf and gRPC end at the sockets: volumes and loops speak types of their own',
      from: { path: '^apps/csi/src/(volumes|loops|placement|intents)/', pathNot: testCode },
      to: { path: '(^packages/csi-proto/|node_modules/@bufbuild/|node_modules/@grpc/)' },
    },
    {
      name: 'destructive-calls',
      severity: 'error',
      comment: 'what cannot be undone is done by packages/acts alone, on evidence',
      from: { pathNot: ['^packages/(acts|vsphere)/', testCode, '^test/'] },
      to: { path: '^packages/vsphere/src/destructive/' },
    },
    {
      name: 'no-tests-from-sources',
      severity: 'error',
      from: { pathNot: `(${testCode}|^test/|^tools/)` },
      to: { path: testCode },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
