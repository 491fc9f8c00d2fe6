// The programs of an image as they lie in its /app.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../bundle-options.mjs';
import { licencesOf } from '../licences.mjs';

/** The programs of each image. */
export const programsOf = { control: ['operator', 'cpi', 'csi', 'vdoctl'], node: ['csi'] };

const bundle = (root, app) =>
  build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [{ in: join(root, 'apps', app, 'src/main.ts'), out: app }],
    outdir: join(root, 'dist'),
    write: false,
    metafile: true,
    logLevel: 'warning',
  });

/** Files by name, each with its content, and the sources that are part of them. */
export const bundlePrograms = async (root, apps) => {
  const built = await Promise.all(apps.map((app) => bundle(root, app)));
  const inputs = [...new Set(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)))].sort();
  const programs = built.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]),
  );
  const files = {
    ...Object.fromEntries(programs),
    'LICENSES-THIRD-PARTY.txt': Buffer.from(licencesOf(inputs, root)),
    'package.json': Buffer.from('{ "type": "module" }\n'),
    LICENSE: readFileSync(join(root, 'LICENSE')),
  };
  return { files, inputs };
};
