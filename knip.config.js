// What is unused goes. Two runs (`npm run unused`): everything, tests included; and what ships alone (`--production`), which
// finds code that only tests use. A package's `exports` are entries, kept honest by tools/exports.mjs, and their symbols
// count as unused like any other.

/** Tests, and the builders and simulated test beds they share, are no part of what ships. */
const testCode = ['!src/**/*.test.ts!', '!src/testing/**!'];

const sources = { entry: ['src/**/*.test.ts'], project: ['src/**/*.ts!', ...testCode] };

export default ({ production }) => ({
  includeEntryExports: true,
  // A function that its own module uses may be exported for its test; a type may be exported to be named.
  ignoreExportsUsedInFile: production ? true : { interface: true, type: true },
  ignoreBinaries: [
    'apt-get',
    'flock',
    'blkdiscard',
    'blockdev',
    'btrfs',
    'cmp',
    'dpkg',
    'findmnt',
    'go',
    'losetup',
    'mkfs.btrfs',
    'mkfs.ext4',
    'mkfs.xfs',
    'mount',
    'setpriv',
    'skopeo',
    'strace',
    'umount',
    'unshare',
    'xz',
  ],
  ignoreDependencies: ['@bufbuild/protoc-gen-es'],
  ignoreIssues: {
    '**/gen/**': ['exports', 'types'],
    // Loaded by tools/generate.mjs, whatever their names.
    'tools/generators/*.mjs': ['exports'],
    // Loaded by schema.mjs beside it.
    'tools/vsphere-schema/used.ts': ['exports'],
    'tools/replay/replay.ts': ['exports'],
    // Loaded by pictures.mjs.
    'tools/pictures/serve-state.ts': ['exports'],
    // Loaded by npm.mjs beside it.
    'tools/release/parts.ts': ['exports'],
    // Passed on by it.
    'tools/image/*.ts': ['exports'],
    'tools/**/*.d.mts': ['exports'],
    ...(production && {
      '**/src/testing/**': ['exports', 'types'],
      'packages/sim-world/**': ['exports', 'types', 'files'],
      // Asserted by the simulation on what the programs recorded.
      'packages/acts/src/act-log.ts': ['exports'],
      // The volume services of the CSI controller are led to them.
      'packages/acts/src/disks/*.ts': ['exports'],
    }),
  },
  workspaces: {
    '.': {
      entry: [
        'tools/*.mjs!',
        'tools/generators/*.mjs!',
        'tools/image/lock.mjs!',
        'tools/image/parts.ts!',
        'tools/parts/build.mjs!',
        'tools/vsphere-schema/schema.mjs!',
        'tools/replay/replay.ts!',
        'tools/pictures/serve-state.ts!',
        'tools/release/npm.mjs!',
        'tools/release/parts.ts!',
        'test/**/*.test.ts',
        'test/**/programs/*.ts',
      ],
      project: ['tools/**/*.{mjs,ts}!', 'test/**/*.{ts,mjs}'],
    },
    'packages/*': sources,
    // The page is bundled by tools/generators/dashboard-page.mjs.
    'packages/dashboard': {
      entry: ['src/page/main.tsx!', ...sources.entry],
      project: ['src/**/*.{ts,tsx}!', ...testCode],
    },
    'apps/*': { ...sources, entry: ['src/main.ts!', ...sources.entry] },
    'apps/sandbox': sources,
  },
});
