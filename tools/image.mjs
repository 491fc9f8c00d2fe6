// Makes the container images that the manifests name.
//   npm run image                                  both, for amd64 and arm64, as an OCI layout in dist/images; needs no builder and no base
//   npm run image -- --out FOLDER                  elsewhere
//   npm run image -- --registry HOST               named after this registry instead of that of the release
//   npm run image -- --architecture amd64          for one architecture
//   npm run image -- --packages FILE               from other packages of Debian than those pinned here (npm run image:lock -- FILE)
// With a Containerfile instead, as one image that serves as both, by podman, docker or buildah:
//   npm run image -- --builder podman              vdo/vdo:VERSION
//   npm run image -- --tag registry.example.com/vdo/vdo:0.1.0  under another name, by the first builder that is installed
//   npm run image -- --base mirror.example.com/node:24-slim    from another base (Debian with Node)
//   npm run image -- --prepare FOLDER              only what goes into it, for a builder of your own
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildImages, writeLayout } from './image/layout.mjs';
import { bundlePrograms, programsOf } from './image/programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const builders = ['podman', 'docker', 'buildah'];

const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** Puts the programs as /app/NAME.js, the recipe and what else it copies into a folder. */
const prepare = async (folder) => {
  cpSync(join(root, 'deploy/image'), folder, { recursive: true });
  const { files } = await bundlePrograms(root, programsOf.control);
  mkdirSync(join(folder, 'app'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'app', name), content);
};

const findBuilder = (wanted) => {
  const candidates = wanted === undefined ? builders : [wanted];
  const found = candidates.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  return (
    found ??
    fail(
      `${candidates.join(', ')}: none of them is installed. Install one, see --prepare, or leave out --builder, --tag and --base: then none is needed.`,
    )
  );
};

const readFlags = () => {
  const string = { type: 'string' };
  const options = {
    ...{ out: string, registry: string, architecture: { ...string, multiple: true }, packages: string },
    ...{ tag: string, base: string, builder: string, prepare: string },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(
      `${error.message}\nFlags: ${Object.keys(options)
        .map((name) => `--${name}`)
        .join(', ')}.`,
    );
  }
};

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const layOut = async ({ out = join(root, 'dist/images'), registry, architecture, packages }, version) => {
  const settings = JSON.parse(readFileSync(join(root, 'packages/releases/src/release-settings.json'), 'utf8'));
  const log = (line) => process.stderr.write(`${line}\n`);
  const images = await buildImages({ root, version, only: architecture, packages, log });
  const named = await writeLayout(out, images, { registry: registry ?? settings.registry, version });
  Object.values(images).forEach(({ layersOf }, index) => {
    const sizes = Object.entries(layersOf).map(
      ([name, layers]) => `${name} ${megabytes(layers.reduce((sum, { content }) => sum + content.length, 0))}`,
    );
    process.stdout.write(`${named[index].name}@${named[index].descriptor.digest} ${sizes.join(', ')}\n`);
  });
};

const buildWith = (builder, { tag, base }, { folder, version }) => {
  const args = ['build', '--file', join(folder, 'Containerfile'), '--build-arg', `VERSION=${version}`];
  const { status } = spawnSync(
    builder,
    [...args, ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]), '--tag', tag, folder],
    { stdio: 'inherit' },
  );
  if (status === 0) process.stdout.write(`${tag}\n`);
  process.exitCode = status ?? 1;
};

const flags = readFlags();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const byContainerfile = [flags.builder, flags.tag, flags.base].some((flag) => flag !== undefined);

if (flags.prepare !== undefined) {
  rmSync(join(flags.prepare, 'app'), { recursive: true, force: true });
  await prepare(flags.prepare);
  process.stdout.write(`${readdirSync(flags.prepare).join('\n')}\n`);
} else if (byContainerfile) {
  const builder = findBuilder(flags.builder);
  const folder = mkdtempSync(join(tmpdir(), 'vdo-image-'));
  try {
    await prepare(folder);
    buildWith(builder, { tag: flags.tag ?? `vdo/vdo:${version}`, base: flags.base }, { folder, version });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  await layOut(flags, version).catch((error) => fail(error.message));
}
