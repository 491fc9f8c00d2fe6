// npm audit as a gate: fails for a known hole of severity `high` or above in what is shipped. Registries that serve packages
// alone do not answer; then it says so and fails nothing.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
  timeout: 60_000,
});
const report = (() => {
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
})();
const counted = report.metadata?.vulnerabilities;
if (counted === undefined) {
  console.log(
    `the registry tells nothing about holes: ${report.error?.summary ?? report.message ?? error?.message ?? 'no answer'}`,
  );
} else {
  const grave = counted.high + counted.critical;
  console.log(`${counted.total} known holes in what is shipped, ${grave} of them grave`);
  for (const [name, { severity, range }] of Object.entries(report.vulnerabilities ?? {}))
    console.log(`${severity} ${name} ${range}`);
  process.exitCode = grave > 0 ? 1 : 0;
}
