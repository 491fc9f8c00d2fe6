import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Tiers: `unit` needs Node alone, `real` needs the built parts of tools/parts, `long` is for soak and property runs, `suite` for
// test suites of others.
const real = '**/*.real.test.ts';
const long = '**/*.long.test.ts';
const suite = '**/*.suite.test.ts';
const ignored = ['**/node_modules/**', '**/dist/**'];

// What a test polls for comes within milliseconds, unless the machine is busy with something else.
const patient = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    // A test marked as the only one hides all others: refused everywhere, not in CI alone.
    allowOnly: false,
    // By default one core is left idle: of two, that is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          expect: patient,
          include: ['{packages,apps}/*/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...ignored, real, long, suite],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real',
          expect: patient,
          include: [real],
          exclude: ignored,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          globalSetup: 'test/harness/real-setup.ts',
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
        },
      },
    ],
  },
});
