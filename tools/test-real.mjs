// Runs the tests on real parts: builds the parts and bundles that are missing, then the vitest projects `real` (side by side)
// and `real-machine` (one file at a time).
//   npm run test:real                 all of them
//   npm run test:real -- thread       those whose path contains "thread"; further vitest options may follow
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = [
  [process.execPath, ['tools/parts/build.mjs']],
  [process.execPath, ['tools/build.mjs']],
  ['npx', ['vitest', 'run', '--project', 'real', '--project', 'real-machine', ...process.argv.slice(2)]],
];

for (const [command, args] of steps) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
