// Runs a test file again and again while the machine is busy, and stops at the first failure with its output.
//   npm run test:steady -- <file> [--times 50] [--load 2]
// The load is that many busy loops, which are gone when this ends. Other vitest options may follow `--`.
import { spawn, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '50' }, load: { type: 'string', default: '2' } },
});
const [file, ...options] = positionals;
if (!file) throw new Error('usage: npm run test:steady -- <file> [--times 50] [--load 2]');
const times = Number(values.times);

const projects = [
  ['.real.test.ts', 'real*'],
  ['.long.test.ts', 'long'],
  ['.suite.test.ts', 'suite'],
];
const project = projects.find(([ending]) => file.endsWith(ending))?.[1] ?? 'unit';

const loops = Array.from({ length: Number(values.load) }, () =>
  spawn(
    process.execPath,
    [
      '-e',
      'process.on("disconnect", () => process.exit()); const spin = () => { const end = Date.now() + 200; while (Date.now() < end); setImmediate(spin); }; spin();',
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  ),
);

const seconds = [];
try {
  for (let round = 1; round <= times; round += 1) {
    const began = performance.now();
    const { status, stdout, stderr } = spawnSync('npx', ['vitest', 'run', '--project', project, file, ...options], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    seconds.push((performance.now() - began) / 1000);
    if (status !== 0) {
      console.error(`${stdout}${stderr}\nround ${round} of ${times} failed after ${seconds.at(-1).toFixed(1)} s`);
      process.exitCode = 1;
      break;
    }
    console.log(`round ${round} of ${times} passed in ${seconds.at(-1).toFixed(1)} s`);
  }
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}
const longest = Math.max(...seconds).toFixed(1);
const average = (seconds.reduce((sum, one) => sum + one, 0) / seconds.length).toFixed(1);
console.log(`${seconds.length} rounds with ${loops.length} busy loops: ${average} s on average, ${longest} s at most`);
