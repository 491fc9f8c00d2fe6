import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tiers: `unit` needs Node alone, `real` needs the built parts of tools/parts, `long` is for soak and property runs, `suite` for
// test suites of others.
const real = '**/*.real.test.ts';
const long = '**/*.long.test.ts';
const suite = '**/*.suite.test.ts';
// Files of the real tier that use what a machine has once: loop devices and mounts, containerd, a kubelet, the default paths
// of the sandbox. They run one at a time, after the others, which have ports and folders of their own.
const machine = [
  'apps/csi/src/node/**/*.real.test.ts',
  'packages/linux-disks/**/*.real.test.ts',
  'test/e2e/air-gap.real.test.ts',
  'test/e2e/docs.real.test.ts',
  'test/e2e/kubelet.real.test.ts',
  'test/e2e/kubelet-mounts.real.test.ts',
  'test/e2e/pods.real.test.ts',
  'test/e2e/sandbox-disks.real.test.ts',
  'test/e2e/storage-path.real.test.ts',
];
const ignored = ['**/node_modules/**', '**/dist/**'];

// What a test polls for comes within milliseconds, unless the machine is busy with something else.
const patient = { poll: { timeout: 30_000 } };

const realOptions = {
  expect: patient,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  globalSetup: 'test/harness/real-setup.ts',
};

const root = fileURLToPath(new URL('.', import.meta.url));
/** How long the long files took in one run, of which the order counts: tools/ci-summary.mjs writes it with --remember. */
const seconds: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('tools/test-seconds.json', import.meta.url), 'utf8'),
);
const secondsOf = ({ moduleId }: TestSpecification): number => seconds[relative(root, moduleId)] ?? 0;

/** Files that take long begin first: the last one is waited for alone. Vitest itself goes by size where it remembers nothing. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((one, other) => secondsOf(other) - secondsOf(one)),
    );
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // A test marked as the only one hides all others: refused everywhere, not in CI alone.
    allowOnly: false,
    // By default one core is left idle: of two, that is half of them. Files that start a sandbox mostly wait for it, two at a time.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        test: {
          name: 'unit',
          expect: patient,
          include: ['{packages,apps}/*/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...ignored, real, long, suite],
          testTimeout: 60_000,
          // No module has state of its own and none is mocked, so files may share the modules that are loaded: half the time.
          isolate: false,
        },
      },
      {
        test: {
          ...realOptions,
          name: 'real',
          include: [real],
          exclude: [...ignored, ...machine],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...realOptions,
          name: 'real-machine',
          include: machine,
          exclude: ignored,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'long',
          expect: patient,
          include: [long],
          exclude: ignored,
          testTimeout: 600_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'suite',
          include: [suite],
          exclude: ignored,
          testTimeout: 4 * 3_600_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
