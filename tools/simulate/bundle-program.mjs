// The program that lives seeds, as one file, and what it is called by: a digest of all that decides about a life. Documentation,
// tests and tools do not change it, so seeds that have passed count until something that is lived changes.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../bundle-options.mjs';
import { root } from '../ledger.mjs';

/** As deep as a package's sources, which find the repository's files from where they are. */
const folder = join(root, 'node_modules/.cache/simulate');

/** What the program reads when it runs (packages/sim-world/src/seed.ts): CRDs, the roles of the operator, and the words that can be explained. */
const filesReadLater = () => [
  ...readdirSync(join(root, 'deploy/crds'))
    .toSorted()
    .map((file) => `deploy/crds/${file}`),
  'deploy/operator.yaml',
  'packages/dashboard/src/gen/words.json',
];

/** `read` has the path and the contents of each file that is read later, `node` the version that runs it. */
export const programName = (text, { read, node }) => {
  const hash = createHash('sha256').update(text);
  for (const [path, contents] of read) hash.update(`\0${path}\0${contents}`);
  return `${hash.digest('hex').slice(0, 12)} on Node ${node.split('.')[0]}`;
};

/** The bundle is the same wherever the repository is. `lives` are those of the drivers or of the operator: each has a program. */
export const bundleText = async (lives, plugins = []) => {
  const { outputFiles } = await build({
    ...bundleOptions,
    splitting: false,
    plugins,
    entryPoints: [`test/simulate/programs/${lives === 'operator' ? 'simulate-operator' : 'simulate'}.ts`],
    // Comments name each source by its path from here.
    absWorkingDir: root,
    logLevel: 'warning',
    write: false,
  });
  return outputFiles[0].text;
};

let written = 0;

/** A file of this process alone, which goes with it: another run may bundle other sources meanwhile. */
export const bundleProgram = async (lives, plugins) => {
  const text = await bundleText(lives, plugins);
  const read = filesReadLater().map((path) => [path, readFileSync(join(root, path), 'utf8')]);
  mkdirSync(folder, { recursive: true });
  written += 1;
  const path = join(folder, `${process.pid}-${written}.mjs`);
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove);
  writeFileSync(path, text);
  return {
    path,
    name: programName(text, { read, node: process.versions.node }),
    remove: () => {
      process.off('exit', remove);
      remove();
    },
  };
};
