// Compares what VDO installs as a release of the Go drivers with the release's own manifests: objects, arguments, variables, rights,
// switches, ports, mounts. Every difference is fixed or has its reason in test/upstream/reasons.ts; another one is an error.
//   node tools/compare-upstream.mjs csi=3.7.3=vsphere-csi-driver.yaml cpi=1.34.0=vsphere-cloud-controller-manager.yaml [--all]
// The manifests are those of kubernetes-sigs/vsphere-csi-driver (manifests/vanilla, by tag) and kubernetes/cloud-provider-vsphere
// (releases/vX.Y, by tag); they are not part of this repository.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';

const { compareRelease, reasons, versionsOf } = await loadTypeScript(
  fileURLToPath(new URL('../test/upstream/parts.ts', import.meta.url)),
);
const words = process.argv.slice(2);
const showsAll = words.includes('--all');
const given = words.filter((word) => word !== '--all').map((word) => word.split('='));
if (given.length === 0 || given.some((parts) => parts.length !== 3)) {
  console.error('usage: compare-upstream.mjs DRIVER=VERSION=FILE... [--all]');
  process.exit(2);
}
let unexplained = 0;
const used = new Set();
for (const [driver, version, file] of given) {
  const comparison = compareRelease(driver, version, readFileSync(file, 'utf8'));
  for (const { because } of comparison.explained) used.add(because);
  unexplained += comparison.unexplained.length;
  const { same, explained } = comparison;
  console.log(
    `${driver} ${version}: ${same} lines the same, ${explained.length} differ with a reason, ${comparison.unexplained.length} without`,
  );
  for (const line of comparison.unexplained) console.log(`  ${line}`);
  if (showsAll) for (const { line, because } of explained) console.log(`  ${line}\n      ${because}`);
}
const missing = ['cpi', 'csi'].flatMap((driver) =>
  versionsOf(driver)
    .filter((version) => !given.some((one) => one[0] === driver && one[1] === version))
    .map((version) => `${driver} ${version}`),
);
if (missing.length > 0) console.log(`not compared: ${missing.join(', ')}`);
const idle = reasons.filter(({ because }) => !used.has(because));
// A reason that explains nothing any more would hide the next difference of its kind.
if (missing.length <= 2) for (const { because } of idle) console.log(`a reason without a difference: ${because}`);
process.exit(unexplained > 0 || (missing.length <= 2 && idle.length > 0) ? 1 : 0);
