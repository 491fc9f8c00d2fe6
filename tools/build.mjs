// Bundles each app into apps/<app>/dist/main.js. Node loads one file instead of hundreds: start-up and memory depend on it.
//   node tools/build.mjs              all apps
//   node tools/build.mjs csi vdoctl   those alone
// An app of which nothing has changed since it was bundled is left as it is, so that every test that starts programs may ask for
// this. Files are replaced whole and the entry comes last: programs may start meanwhile, and other builds may run.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const known = readdirSync(join(root, 'apps')).filter((app) => existsSync(join(root, 'apps', app, 'src/main.ts')));
const named = process.argv.slice(2);
const unknown = named.find((app) => !known.includes(app));
if (unknown !== undefined) throw new Error(`there is no app ${unknown}: ${known.join(', ')}`);
const apps = named.length > 0 ? named : known;

/** What decides, besides the sources, what a source means. */
const settings = [
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tools/build.mjs', 'tools/bundle-options.mjs'],
  ...['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  ),
].filter((path) => existsSync(join(root, path)));

const stampOf = (app) => join(root, 'node_modules/.cache/bundles', `${app}.json`);
const stateOf = (path) => {
  const { mtimeMs, size } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined ? 'missing' : `${mtimeMs} ${size}`;
};
const isFresh = (app) => {
  if (!existsSync(stampOf(app))) return false;
  const stamp = JSON.parse(readFileSync(stampOf(app), 'utf8'));
  return (
    settings.every((path) => path in stamp) && Object.entries(stamp).every(([path, seen]) => stateOf(path) === seen)
  );
};

const replace = (path, contents) => {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
};

const bundle = async (app, { build, bundleOptions }) => {
  const outdir = join(root, 'apps', app, 'dist');
  const beganMs = Date.now();
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [join(root, 'apps', app, 'src/main.ts')],
    outdir,
    write: false,
    metafile: true,
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  const isEntry = ({ path }) => basename(path) === 'main.js';
  for (const { path, contents } of outputFiles.toSorted((one, other) => isEntry(one) - isEntry(other)))
    replace(path, contents);
  // Chunks carry hashes in their names: those of older builds would pile up.
  const fresh = new Set(outputFiles.map(({ path }) => basename(path)));
  for (const file of readdirSync(outdir).filter((name) => !fresh.has(name) && !name.endsWith('.new')))
    rmSync(join(outdir, file), { force: true });
  const sources = [...settings, ...Object.keys(metafile.inputs).filter((path) => existsSync(join(root, path)))];
  // What was written meanwhile may have been read before: the next build looks again.
  if (sources.some((path) => statSync(join(root, path)).mtimeMs >= beganMs)) return;
  const states = [...sources, ...outputFiles.map(({ path }) => relative(root, path))].map((path) => [
    path,
    stateOf(path),
  ]);
  replace(stampOf(app), JSON.stringify(Object.fromEntries(states)));
};

const stale = apps.filter((app) => !isFresh(app));
if (stale.length > 0) {
  const tools = { ...(await import('esbuild')), ...(await import('./bundle-options.mjs')) };
  await Promise.all(stale.map((app) => bundle(app, tools)));
}
