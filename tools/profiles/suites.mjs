// The suites that are run on releases of the simulated vCenter, and how their results are distinguished.
export const releases = [
  '6.7.3',
  '7.0.0',
  '7.0.1',
  '7.0.2',
  '7.0.3',
  '8.0.0',
  '8.0.1',
  '8.0.2',
  '8.0.3',
  '9.0.0',
  '9.1.0',
];

/** Those that the costly suites are run on: what came with each of them differs most. */
const sampled = ['6.7.3', '7.0.1', '7.0.3', '8.0.3', '9.0.0'];

const qualify = 'apps/vdoctl/src/commands/vsphere/qualify';

/**
 * `start`: a run has the tests of all releases, and their names start so. Without it the suite is run once for each release, which the
 * tests read from VDO_SIM_RELEASE. `vcsim`: the same on govmomi's simulator.
 */
export const suites = [
  {
    id: 'calls',
    title: 'Every call of the client, and every oddity that is allowed',
    files: ['test/vsphere-schema/profiles.test.ts'],
    start: (release) => `a vCenter of release ${release} `,
  },
  {
    id: 'contract',
    title: 'Contract of the client',
    files: ['test/contract/vsphere/releases.test.ts'],
    start: (release) => `vCenter ${release} `,
    vcsim: ['test/contract/vsphere/vcsim.real.test.ts'],
  },
  {
    id: 'sessions',
    title: 'One login and no session left',
    files: ['test/contract/vsphere/sessions.test.ts'],
    start: (release) => `sessions on ${release} `,
  },
  { id: 'cpi', title: 'CPI', files: ['apps/cpi/src/releases.test.ts'], start: (release) => `on vCenter ${release} ` },
  {
    id: 'storage-path',
    title: 'Storage path',
    files: ['test/stories/storage-path.test.ts'],
    start: (release) => `on vCenter ${release} `,
  },
  {
    id: 'csi-sanity',
    title: 'csi-sanity',
    project: 'real',
    files: ['apps/csi/src/sanity.real.test.ts'],
    releases: sampled,
    vcsim: ['apps/csi/src/sanity-vcsim.real.test.ts'],
  },
  {
    id: 'crashes',
    title: 'CSI killed at every call and write',
    files: ['apps/csi/src/crash.test.ts', 'apps/csi/src/crash-changes.test.ts'],
    releases: sampled,
  },
  {
    id: 'qualify',
    title: '`vdoctl vsphere qualify`, killed and interrupted at every call',
    project: 'long',
    files: [`${qualify}/kills.long.test.ts`],
    start: (release) => `a trial on ${release} `,
    vcsim: ['test/e2e/qualify.real.test.ts'],
  },
  {
    id: 'pyvmomi',
    title: 'pyvmomi',
    project: 'real',
    files: ['test/contract/vsphere/pyvmomi.real.test.ts'],
    start: (release) => `pyvmomi on vsphere-sim of release ${release}`,
  },
].map((suite) => ({ project: 'unit', releases, ...suite }));
