// Both images, for both architectures, as an OCI layout: from packages of Debian and npm that are pinned by their checksums, and the
// sources of this repository. No daemon, no base image, no right of root. The same commit gives the same bytes.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { loadTypeScript } from '../load-typescript.mjs';
import { commitEpoch } from './commit-epoch.mjs';
import { download } from './download.mjs';
import { bundlePrograms, programsOf } from './programs.mjs';

const here = import.meta.dirname;
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const runtime = readJson(join(here, 'node-runtime.json'));

/** Where manifests look for each image, below the registry. */
const repositories = { control: 'vdo/vdo', node: 'vdo/node' };

const titles = {
  control: 'VDO, the vSphere Kubernetes Drivers Operator: operator, cloud controller manager, storage controller',
  node: 'VDO, the vSphere Kubernetes Drivers Operator: storage driver of the nodes',
};

const npmPack = async ([name]) => {
  const folder = mkdtempSync(join(tmpdir(), 'vdo-pack-'));
  try {
    await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', folder, name]);
    return readFileSync(join(folder, readdirSync(folder)[0]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const fetchNode = (name) =>
  download({
    urls: [`${name}@${runtime.version}`],
    algorithm: 'sha512',
    digest: Buffer.from(runtime.integrity[name].replace(/^sha512-/, ''), 'base64').toString('hex'),
    fetchIt: npmPack,
    remedy: 'Node is pinned in tools/image/node-runtime.json.',
  });

const fetchDeb = ({ archive, path, sha256 }, { mirror, snapshots, snapshot }) =>
  download({
    urls: [`${mirror}/${archive}/${path}`, `${snapshots}/${archive}/${snapshot}/${path}`],
    digest: sha256,
    remedy: 'Debian may have replaced the package. To take the new one: npm run image:lock',
  });

/** Fetches every package of an architecture, four at a time. */
const readDebs = async (architecture, { readDeb, debian, debianMirror }, lock) => {
  const debs = new Map();
  const places = { mirror: debianMirror(), snapshots: debian.snapshots, snapshot: lock.snapshot };
  const waiting = lock.packages.filter((one) => one.architecture === architecture);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      debs.set(next.name, readDeb(await fetchDeb(next, places)));
  };
  await Promise.all([work(), work(), work(), work()]);
  return (name) => {
    const deb = debs.get(name);
    if (!deb) throw new Error(`${name} for ${architecture} is not in tools/image/packages.json: npm run image:lock`);
    return deb;
  };
};

const appEntries = (root, image, { files, sbom }) => [
  ...Object.entries(files).map(([name, content]) => ({ path: `app/${name}`, content, mode: 0o644 })),
  { path: 'app/sbom.cdx.json', content: Buffer.from(`${JSON.stringify(sbom, undefined, 1)}\n`), mode: 0o644 },
  ...(image === 'control'
    ? [{ path: 'usr/bin/gather', content: readFileSync(join(root, 'deploy/image/gather')), mode: 0o755 }]
    : []),
];

const packagesIn = (image, architecture, { layers }, lock) => {
  const names = new Set([...layers.base, ...layers[image]].map(({ name }) => name));
  return lock.packages.filter((one) => one.architecture === architecture && names.has(one.name));
};

/**
 * The images by name, each with its descriptor, its blobs and its bill of materials per architecture. `only`: architectures to build,
 * by default both. `packages`: file with the pinned packages, by default that of this repository.
 */
export const buildImages = async ({ root, version, only, packages: lockFile, log = () => {} }) => {
  const lock = readJson(lockFile ?? join(here, 'packages.json'));
  const parts = await loadTypeScript(join(here, 'parts.ts'));
  const epoch = commitEpoch(root);
  const created = new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');
  const programs = Object.fromEntries(
    await Promise.all(parts.imageNames.map(async (image) => [image, await bundlePrograms(root, programsOf[image])])),
  );
  const platforms = { control: [], node: [] };
  const sboms = { control: {}, node: {} };
  for (const { name: architecture, npm } of parts.architectures.filter(({ name }) => !only || only.includes(name))) {
    log(`${architecture}: fetching packages`);
    const read = await readDebs(architecture, parts, lock);
    log(`${architecture}: packing layers`);
    const base = parts.layerOf('packages of Debian', parts.packageLayer('base', architecture, read));
    const node = parts.layerOf(
      `Node ${runtime.version}`,
      parts.nodeLayer(parts.untarAll(gunzipSync(await fetchNode(npm)))),
    );
    for (const image of parts.imageNames) {
      const packages = packagesIn(image, architecture, parts, lock);
      const { files, inputs } = programs[image];
      const subject = `vdo-${image}`;
      const sbom = parts.sbomOf({ subject, version, inputs, packages, node: runtime.version, epoch }, root);
      sboms[image][architecture] = sbom;
      platforms[image].push({
        architecture,
        layers: [
          base,
          node,
          parts.layerOf(`tools of the ${image} image`, parts.packageLayer(image, architecture, read)),
          parts.layerOf('programs of VDO', parts.inOrder(appEntries(root, image, { files, sbom }))),
        ],
        config: {
          User: '65532:65532',
          Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
          Entrypoint: ['node'],
          Cmd: [image === 'control' ? '/app/vdoctl.js' : '/app/csi.js', '--help'],
          WorkingDir: '/',
          Labels: labelsOf(image, version),
        },
      });
    }
  }
  return Object.fromEntries(
    parts.imageNames.map((image) => [
      image,
      {
        ...parts.imageOf(platforms[image], {
          created,
          annotations: { ...labelsOf(image, version), 'org.opencontainers.image.created': created },
        }),
        layersOf: Object.fromEntries(platforms[image].map(({ architecture, layers }) => [architecture, layers])),
        sboms: sboms[image],
      },
    ]),
  );
};

const labelsOf = (image, version) => ({
  'org.opencontainers.image.title': titles[image],
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.licenses': 'Apache-2.0',
});

/** Writes an OCI layout with these images. An earlier one goes. */
export const writeLayout = async (folder, images, { registry, version }) => {
  const { layoutFiles } = await loadTypeScript(join(here, 'parts.ts'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  for (const { blobs } of Object.values(images))
    for (const { digest, content } of blobs) writeFileSync(join(folder, 'blobs', digest.replace(':', '/')), content);
  const named = Object.entries(images).map(([image, { descriptor }]) => ({
    name: `${registry}/${repositories[image]}:${version}`,
    descriptor,
  }));
  for (const [name, text] of Object.entries(layoutFiles(named))) writeFileSync(join(folder, name), text);
  return named;
};
