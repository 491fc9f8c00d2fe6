// What a result belongs to: the tests that were run, and all that makes a simulated vCenter the release that it says it is.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ledger.mjs';

const isTest = (path) => /\.test\.ts$/.test(path);

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .filter((path) => !isTest(path));

/** The strict readers, the tables that drive them, and what the client leaves out for a version. */
const profile = () => [
  ...filesBelow('packages/vsphere-sim/src/version'),
  'packages/vsphere-sim/src/rest/read-rest-strictly.ts',
  'packages/vsphere-sim/src/rest/rest-requests.ts',
  'packages/vsphere/src/wire/gen/wire-versions.ts',
  'packages/vsphere/src/wire/table/gen/type-table.ts',
];

/** A file that only moves, or whose imports do, is the same. */
const textOf = (path) => readFileSync(join(root, path), 'utf8').replace(/^import [^;]*;\n/gm, '');

/** Of the files of a suite as they are now. vcsim is no release of ours: only the tests count there. */
export const sourcesOf = ({ files, vcsim = [] }, release) => {
  const paths = release === 'vcsim' ? vcsim : [...files, ...profile()];
  const hash = createHash('sha256');
  for (const text of paths.map(textOf).sort()) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 12);
};
