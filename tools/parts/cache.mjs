// Where built parts live: outside the checkout, so that clean clones share them. The folder's name holds a hash of all
// that goes into the build, so a changed pin or a new Go is another folder and nothing is ever stale.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parts } from './catalog.mjs';

const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vdo-parts');

/** What the Go toolchain says of itself, or undefined if there is none. */
const goIdentity = () => {
  try {
    return execFileSync('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
};

const goFilesIn = (path) =>
  readdirSync(path)
    .filter((file) => file.endsWith('.go'))
    .sort()
    .map((file) => join(path, file));

const sourcesOf = ({ moduleFolder, goPackage }) => [
  join(moduleFolder, 'go.mod'),
  join(moduleFolder, 'go.sum'),
  ...goFilesIn(goPackage.startsWith('.') ? join(moduleFolder, goPackage) : moduleFolder),
];

/** The bundles of a release depend on the commit and on how it is built. */
const keyOfRelease = ({ commit }) =>
  createHash('sha256')
    .update(commit)
    .update(readFileSync(join(import.meta.dirname, 'build-release.mjs')))
    .digest('hex')
    .slice(0, 16);

const keyOf = (part, identity) => {
  if (part.commit) return keyOfRelease(part);
  if (part.python) return createHash('sha256').update(`${part.name}==${part.version}`).digest('hex').slice(0, 16);
  if (part.npm) return createHash('sha256').update(part.integrity).digest('hex').slice(0, 16);
  const hash = createHash('sha256').update(identity).update(part.goPackage).update(part.ldflags);
  for (const file of sourcesOf(part)) hash.update('\0').update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
};

/**
 * Every part with the path of its program and whether it is built.
 * Throws with the remedy if Go is missing: without it neither a path nor a build is known.
 */
export const locateParts = () => {
  const identity = goIdentity();
  if (!identity) {
    throw new Error(
      'Go is not on the PATH. The real test parts are compiled from source: install Go 1.25 or newer (https://go.dev/dl/) and try again.',
    );
  }
  return parts.map((part) => {
    const folder = join(cacheFolder, `${part.name}-${keyOf(part, identity)}`);
    const path = join(folder, part.name);
    return { ...part, folder, path, built: existsSync(path) };
  });
};
