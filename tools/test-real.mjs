// Runs the tests on real parts: builds the parts and bundles that are missing, then the vitest projects `real` (side by side)
// and `real-machine` (one file at a time).
//   npm run test:real                              all of them
//   npm run test:real -- thread                    those whose path contains "thread"; further vitest options may follow
//   npm run test:real -- --built --project real    one of the two alone, with everything built before: CI runs them side by side
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2).filter((arg) => arg !== '--built');
const isBuilt = process.argv.includes('--built');
const projects = args.includes('--project') ? [] : ['--project', 'real', '--project', 'real-machine'];
const steps = [
  ...(isBuilt ? [] : [['tools/parts/build.mjs'], ['tools/build.mjs']].map((build) => [process.execPath, build])),
  ['npx', ['vitest', 'run', ...projects, ...args]],
];

for (const [command, args] of steps) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
