// Pins the packages of Debian that the images are made of, in tools/image/packages.json: the newest of each, by its checksum.
//   npm run image:lock
//   npm run image:lock -- FILE    into another file, for npm run image -- --packages FILE
// Needs the program gpgv and Debian's keys (package debian-archive-keyring): what a mirror says is believed as far as Debian signed it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTypeScript } from '../load-typescript.mjs';

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const { architectures, debian, layers } = await loadTypeScript(join(import.meta.dirname, 'contents.ts'));

const { debianMirror } = await loadTypeScript(join(import.meta.dirname, 'debian-mirror.ts'));
const mirror = debianMirror();

const get = async (path) => {
  const response = await fetch(`${mirror}/${path}`);
  if (!response.ok) throw new Error(`${mirror}/${path}: status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

const run = (program, args, input) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** The signed index of a suite: checksums of its other indexes. */
const releaseOf = async ({ archive, suite }) => {
  const signed = await get(`${archive}/dists/${suite}/InRelease`);
  return run('gpgv', ['--keyring', keyring, '--output', '-'], signed).toString('utf8');
};

const fieldsOf = (stanza) =>
  Object.fromEntries([...stanza.matchAll(/^([A-Za-z0-9-]+): (.*)$/gm)].map(([, key, value]) => [key, value]));

const packagesOf = async (place, release, architecture) => {
  const path = `main/binary-${architecture}/Packages.xz`;
  const line = new RegExp(`^ ([0-9a-f]{64}) +\\d+ ${path}$`, 'm').exec(release);
  const packed = await get(`${place.archive}/dists/${place.suite}/${path}`);
  if (createHash('sha256').update(packed).digest('hex') !== line?.[1])
    throw new Error(`${place.suite}/${path} is not the one that Debian signed; try again when the mirror is whole`);
  return run('xz', ['-dc'], packed).toString('utf8').split('\n\n').map(fieldsOf);
};

const isNewer = (version, than) =>
  spawnSync('dpkg', ['--compare-versions', version, 'gt', than], { stdio: 'ignore' }).status === 0;

const wanted = new Set(Object.values(layers).flatMap((list) => list.map(({ name }) => name)));
const newest = new Map();
let latest = 0;
for (const place of debian.suites) {
  const release = await releaseOf(place);
  latest = Math.max(latest, Date.parse(/^Date: (.*)$/m.exec(release)?.[1]));
  for (const { name: architecture } of architectures)
    for (const found of await packagesOf(place, release, architecture)) {
      if (!wanted.has(found.Package)) continue;
      const key = `${found.Package} ${architecture}`;
      if (newest.has(key) && !isNewer(found.Version, newest.get(key).version)) continue;
      const { Package: name, Version: version, Filename: path, SHA256: sha256 } = found;
      newest.set(key, { name, version, architecture, archive: place.archive, path, sha256 });
    }
}
const missing = [...wanted].flatMap((name) =>
  architectures.filter((one) => !newest.has(`${name} ${one.name}`)).map((one) => `${name} for ${one.name}`),
);
if (missing.length > 0) throw new Error(`Debian has no ${missing.join(', ')}`);
// Snapshots are taken some hours after a publication.
const snapshot = new Date(latest + 6 * 3_600_000).toISOString().replace(/[-:]|\.\d+/g, '');
const packages = [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
const file = process.argv[2] ?? join(import.meta.dirname, 'packages.json');
writeFileSync(file, `${JSON.stringify({ snapshot, packages }, undefined, 2)}\n`);
process.stdout.write(`${file}: ${packages.length} packages\n`);
