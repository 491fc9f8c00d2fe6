// Builds the programs of an earlier release of VDO from the history of this repository, so that tests can begin with what that
// release itself wrote, and go back to it.
import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);
const git = (...args) => execute('git', args, { cwd: root });

/** A clone without history has to be given the one commit. */
const ensureCommit = async (commit) => {
  const known = () => git('cat-file', '-e', `${commit}^{commit}`);
  try {
    await known();
  } catch {
    await git('fetch', '--quiet', '--depth=1', 'origin', commit).catch(() => undefined);
    await known().catch(() => {
      throw new Error(`the commit ${commit} is not in this clone: get its history with \`git fetch --unshallow\``);
    });
  }
};

/** What other projects wrote comes from this checkout, whose versions are the same; what is ours comes from the release. */
const linkModules = async (folder) => {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@vdo'), { recursive: true });
  for (const entry of await readdir(join(root, 'node_modules'), { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== '@vdo' && !entry.name.startsWith('.'))
      await symlink(join(root, 'node_modules', entry.name), join(modules, entry.name));
  }
  for (const room of ['packages', 'apps']) {
    for (const name of await readdir(join(folder, room)))
      await symlink(join(folder, room, name), join(modules, '@vdo', name));
  }
};

/** Keeps what a user of the release has: `apps/<app>/dist/main.js`, the shell of vdoctl, and the manifests in `deploy`. */
const keepProducts = async (source, output) => {
  for (const app of await readdir(join(source, 'apps'))) {
    await mkdir(join(output, 'apps', app), { recursive: true });
    for (const kept of (await readdir(join(source, 'apps', app))).filter((name) =>
      ['dist', 'bin', 'package.json'].includes(name),
    ))
      await rename(join(source, 'apps', app, kept), join(output, 'apps', app, kept));
  }
  for (const kept of ['deploy', 'package.json']) await rename(join(source, kept), join(output, kept));
};

/** Builds every app of `commit` below the folder `output`. */
export const buildRelease = async ({ commit }, output) => {
  await ensureCommit(commit);
  const source = `${output}.source`;
  await mkdir(source, { recursive: true });
  try {
    const archive = `${source}/release.tar`;
    await git('archive', '--output', archive, commit, 'apps', 'packages', 'tools', 'deploy', 'package.json');
    await execute('tar', ['-xf', archive, '-C', source]);
    await linkModules(source);
    await execute(process.execPath, ['tools/build.mjs'], { cwd: source });
    await keepProducts(source, output);
  } finally {
    await rm(source, { recursive: true, force: true });
  }
};
