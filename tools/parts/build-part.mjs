// Builds one part into its cache folder: with Go, or an earlier release of ours with its own build script.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildRelease } from './build-release.mjs';
import { withLock } from './lock.mjs';

const execute = promisify(execFile);
const reportEveryMs = 15_000;
const seconds = (sinceMs) => `${Math.round((Date.now() - sinceMs) / 1000)} s`;

const goBuild = ({ moduleFolder, goPackage, ldflags, command }, output) =>
  new Promise((resolve, reject) => {
    const args = [...command, '-trimpath', '-mod=readonly', '-ldflags', ldflags, '-o', output, goPackage];
    const child = spawn('go', args, {
      cwd: moduleFolder,
      env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go ${args.join(' ')} ended with ${code} in ${moduleFolder}:\n${stderr.slice(-4000)}`));
    });
  });

const pipInstall = ({ name, version }, output) =>
  execute('python3', ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', output, `${name}==${version}`]);

/** Takes one file out of a package of npm. The hash is compared here: npm compares it with what the registry says alone. */
const npmUnpack = async ({ name, npm, version, file, integrity }, output) => {
  const unpacked = await mkdtemp(`${output}-`);
  const { stdout } = await execute('npm', ['pack', '--silent', '--pack-destination', unpacked, `${npm}@${version}`]);
  const archive = join(unpacked, stdout.trim());
  const hash = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (hash !== integrity) throw new Error(`${npm}@${version} is ${hash}, and ${name} is pinned to ${integrity}`);
  await execute('tar', ['-xzf', archive, '-C', unpacked, file]);
  await rename(join(unpacked, file), output);
  await rm(unpacked, { recursive: true });
};

/** Moves a finished build into place; a folder that is already there was finished by someone else. */
const publish = async (from, to) => {
  try {
    await rename(from, to);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(from, { recursive: true, force: true });
  }
};

const buildLocked = async (part, log) => {
  if (existsSync(part.path)) return;
  const startedMs = Date.now();
  log(`${part.name} ${part.version}: building`);
  const timer = setInterval(() => log(`${part.name}: still building, ${seconds(startedMs)}`), reportEveryMs);
  const temporary = await mkdtemp(`${part.folder}.building-`);
  try {
    const build = part.commit ? buildRelease : part.python ? pipInstall : part.npm ? npmUnpack : goBuild;
    await build(part, join(temporary, part.name));
    await publish(temporary, part.folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  } finally {
    clearInterval(timer);
  }
  const { size } = await stat(part.path);
  log(`${part.name}: built in ${seconds(startedMs)}${part.goPackage ? `, ${Math.round(size / 1e6)} MB` : ''}`);
};

/** Builds a part if it is missing; waits if another run is building it. Throws with the builder's own words if that fails. */
export const buildPart = (part, log) =>
  withLock(`${part.folder}.lock`, {
    onWait: () => log(`${part.name}: waiting for another run that builds it`),
    work: () => buildLocked(part, log),
  });
