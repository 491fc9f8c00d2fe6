// Bundles each app into apps/<app>/dist/main.js. Node loads one file instead of hundreds: start-up and memory depend on it.
//   node tools/build.mjs              all apps
//   node tools/build.mjs csi vdoctl   those alone
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const known = readdirSync(join(root, 'apps')).filter((app) => existsSync(join(root, 'apps', app, 'src/main.ts')));
const named = process.argv.slice(2);
const stranger = named.find((app) => !known.includes(app));
if (stranger !== undefined) throw new Error(`there is no app ${stranger}: ${known.join(', ')}`);
const apps = named.length > 0 ? named : known;

const bundle = async (app) => {
  const outdir = join(root, 'apps', app, 'dist');
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: [join(root, 'apps', app, 'src/main.ts')],
    outdir,
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  // Chunks carry hashes in their names: those of older builds would pile up.
  const fresh = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  for (const file of readdirSync(outdir).filter((name) => !fresh.has(name))) rmSync(join(outdir, file));
};

await Promise.all(apps.map(bundle));
