// Builds the container image that the manifests name, with podman, docker or buildah.
//   npm run image                                              vdo/vdo:VERSION
//   npm run image -- --tag registry.example.com/vdo/vdo:0.1.0  under another name
//   npm run image -- --base mirror.example.com/node:24-slim    from another base (Debian with Node)
//   npm run image -- --prepare FOLDER                          only what goes into it, for a builder of your own
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';
import { licencesOf } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = ['operator', 'cpi', 'csi', 'vdoctl'];
const builders = ['podman', 'docker', 'buildah'];

const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** Puts the programs as /app/NAME.js, the recipe and what else it copies into a folder. */
const prepare = async (folder) => {
  cpSync(join(root, 'deploy/image'), folder, { recursive: true });
  const outdir = join(folder, 'app');
  const built = await Promise.all(
    programs.map((app) =>
      build({
        ...bundleOptions,
        entryPoints: [{ in: join(root, 'apps', app, 'src/main.ts'), out: app }],
        outdir,
        metafile: true,
        logLevel: 'warning',
      }),
    ),
  );
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(outdir, 'LICENSES-THIRD-PARTY.txt'), licencesOf(inputs, root));
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }\n');
  cpSync(join(root, 'LICENSE'), join(outdir, 'LICENSE'));
};

const findBuilder = (wanted) => {
  const candidates = wanted === undefined ? builders : [wanted];
  const found = candidates.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  return found ?? fail(`${candidates.join(', ')}: none of them is installed. Install one, or see --prepare.`);
};

const readFlags = () => {
  const string = { type: 'string' };
  const options = { tag: string, base: string, builder: string, prepare: string };
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

const flags = readFlags();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

if (flags.prepare !== undefined) {
  rmSync(join(flags.prepare, 'app'), { recursive: true, force: true });
  await prepare(flags.prepare);
  process.stdout.write(`${readdirSync(flags.prepare).join('\n')}\n`);
} else {
  const builder = findBuilder(flags.builder);
  const tag = flags.tag ?? `vdo/vdo:${version}`;
  const folder = mkdtempSync(join(tmpdir(), 'vdo-image-'));
  try {
    await prepare(folder);
    const base = flags.base === undefined ? [] : ['--build-arg', `BASE=${flags.base}`];
    const args = ['build', '--file', join(folder, 'Containerfile'), '--build-arg', `VERSION=${version}`, ...base];
    const { status } = spawnSync(builder, [...args, '--tag', tag, folder], { stdio: 'inherit' });
    if (status === 0) process.stdout.write(`${tag}\n`);
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
