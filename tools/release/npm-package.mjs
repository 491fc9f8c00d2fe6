// The npm package of vdoctl: one archive with everything that its commands need, also the programs that `vdoctl sandbox` starts. Nothing
// is installed beside it. The same sources give the same bytes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleOptions } from '../bundle-options.mjs';
import { licencesOf } from '../licences.mjs';

const programs = ['vdoctl', 'operator', 'cpi', 'csi'];
const launcher = "#!/usr/bin/env node\nimport '../apps/vdoctl/dist/main.js';\n";

/** Code that several programs use is there once. */
const bundle = (root, outdir) =>
  build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: programs.map((app) => ({ in: join(root, 'apps', app, 'src/main.ts'), out: `${app}/dist/main` })),
    chunkNames: 'chunks/[name]-[hash]',
    outdir,
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: 'warning',
  });

const manifestOf = (version, { npmScope, projectUrl }) => ({
  name: `${npmScope}/vdoctl`,
  version,
  description:
    'The command line of VDO, the vSphere Kubernetes Drivers Operator, with a sandbox that needs no vCenter.',
  license: 'Apache-2.0',
  homepage: projectUrl,
  type: 'module',
  bin: { vdoctl: 'bin/vdoctl.mjs' },
  engines: { node: '>=20.19' },
  publishConfig: { access: 'public' },
});

/** With the full name: the short one on the public registry is not ours. */
const readmeOf = (root, { npmScope }) =>
  readFileSync(join(root, 'tools/release/npm-readme.md'), 'utf8').replaceAll('PACKAGE', `${npmScope}/vdoctl`);

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/**
 * `package.tgz` as a Buffer, its name, and the sources that are part of it. `parts`: tarOf and sbomOf.
 */
export const npmPackage = async ({ root, version, settings, epoch, parts: { sbomOf, tarOf } }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vdo-npm-'));
  try {
    const { metafile } = await bundle(root, folder);
    const inputs = Object.keys(metafile.inputs).sort();
    const bill = sbomOf({ subject: 'vdoctl', version, inputs, packages: [], epoch }, root);
    const text = (path, content, mode = 0o644) => ({ path: `package/${path}`, content: Buffer.from(content), mode });
    const files = [
      text('package.json', `${JSON.stringify(manifestOf(version, settings), undefined, 2)}\n`),
      text('bin/vdoctl.mjs', launcher, 0o755),
      text('LICENSE', readFileSync(join(root, 'LICENSE'))),
      text('LICENSES-THIRD-PARTY.txt', licencesOf(inputs, root)),
      text('README.md', readmeOf(root, settings)),
      text('sbom.cdx.json', `${JSON.stringify(bill, undefined, 1)}\n`),
      ...filesBelow(folder).map((path) => text(`apps/${path}`, readFileSync(join(folder, path)))),
    ];
    const name = `${settings.npmScope.slice(1)}-vdoctl-${version}.tgz`;
    return { name, archive: gzipSync(tarOf(files), { level: 9 }), inputs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
