import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { everything, renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKept, layers } from '../../tools/image/contents.ts';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { run } from '../harness/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const recipe = readFileSync(`${root}deploy/image/Containerfile`, 'utf8');
const nodeSources = ['apps/csi/src/node', 'packages/linux-disks/src'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'))
    .map((file) => readFileSync(`${root}${folder}/${file}`, 'utf8')),
);

/** Debian's package for each program that the node role runs; coreutils and dash are in every base. */
const packages: Readonly<Record<string, string>> = {
  blkid: 'util-linux',
  blockdev: 'util-linux',
  btrfs: 'btrfs-progs',
  cmp: 'diffutils',
  dd: 'coreutils',
  flock: 'util-linux',
  fsck: 'util-linux',
  'fsck.ext4': 'e2fsprogs',
  'mkfs.btrfs': 'btrfs-progs',
  'mkfs.ext3': 'e2fsprogs',
  'mkfs.ext4': 'e2fsprogs',
  'mkfs.xfs': 'xfsprogs',
  mount: 'mount',
  nsenter: 'util-linux',
  od: 'coreutils',
  resize2fs: 'e2fsprogs',
  sh: 'dash',
  stat: 'coreutils',
  timeout: 'coreutils',
  udevadm: 'udev',
  umount: 'mount',
  xfs_growfs: 'xfsprogs',
};

const programsRun = new Set(
  nodeSources.flatMap((source) => [
    ...[...source.matchAll(/\b(?:run|runOrThrow)\((?:[\w.]*\brun, )?'([\w.-]+)'/g)].map(([, name = '']) => name),
    ...[...source.matchAll(/\['(mkfs\.\w+)'/g)].map(([, name = '']) => name),
  ]),
);

interface Podlike {
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: readonly { command?: readonly string[] }[] } };
  };
}
const commandsOf = (objects: readonly object[]): readonly (readonly string[])[] =>
  objects.flatMap((object) =>
    ((object as Podlike).spec?.template?.spec.containers ?? []).flatMap(({ command }) => (command ? [command] : [])),
  );

describe('what goes into the image of the Containerfile', () => {
  let folder: TempFolder;
  beforeAll(async () => {
    folder = await createTempFolder('image');
    await run(process.execPath, [`${root}tools/image.mjs`, '--prepare', folder.file('context')], {
      timeoutMs: 120_000,
    });
  }, 130_000);
  afterAll(() => folder.remove());

  it('has every program that the manifests name', () => {
    const operator = renderOperator({ version: '0.1.0', image: { repository: 'vdo/vdo', tag: '0.1.0' } });
    const commands = commandsOf([...operator, ...renderWorld('Native', everything)]);
    expect(commands.length).toBeGreaterThanOrEqual(4);
    const missing = commands
      .map((command) => command.find((word) => word.startsWith('/app/')) ?? command.join(' '))
      .filter((path) => !path.startsWith('/app/') || !existsSync(folder.file(`context${path}`)));
    expect(missing).toEqual([]);
  });

  it.each(['operator', 'cpi', 'csi', 'vdoctl'])('has a %s that starts from where it lies there', async (name) => {
    expect(await run(process.execPath, [folder.file(`context/app/${name}.js`), '--help'])).toMatch(/^Usage:/);
  });

  it('has every program that the node part of the storage driver runs', () => {
    const [, installed = ''] = /apt-get install (.*?) \\\n/.exec(recipe) ?? [];
    const has = new Set([...installed.split(' '), 'coreutils', 'dash']);
    expect(programsRun.size).toBeGreaterThan(8);
    expect([...programsRun].filter((program) => !has.has(packages[program] ?? `package of ${program}`))).toEqual([]);
    // mount -t nfs4 calls a helper of its own.
    expect(has).toContain('nfs-common');
  });

  it('has them in the image of the nodes, too', () => {
    const inNode = new Map([...layers.base, ...layers.node].map((wanted) => [wanted.name, wanted]));
    const missing = [...programsRun, 'mount.nfs4'].filter((program) => {
      const wanted = inNode.get(packages[program] ?? 'nfs-common');
      return !wanted || ![`usr/bin/${program}`, `usr/sbin/${program}`].some((path) => isKept(path, wanted));
    });
    expect(missing).toEqual([]);
  });

  it('does not run as root unless a pod says so', () => {
    expect(recipe).toMatch(/^USER 65532:65532$/m);
  });

  it('gathers for must-gather into the folder itself, as far back as asked', async () => {
    // Stands for Node: notes its arguments, and writes what vdoctl would.
    const fake = folder.file('bin/node');
    await mkdir(folder.file('bin'));
    await writeFile(fake, `#!/bin/sh\necho "$@" >"${folder.file('args')}"\nmkdir "$4"\necho vdoctl >"$4/version"\n`);
    await chmod(fake, 0o755);
    await mkdir(folder.file('must-gather'));
    await run('/bin/sh', [folder.file('context/gather')], {
      env: {
        PATH: `${folder.file('bin')}:/usr/bin:/bin`,
        MUST_GATHER_DIR: folder.file('must-gather'),
        MUST_GATHER_SINCE: '2h0m0s',
      },
    });
    expect(await readdir(folder.file('must-gather'))).toEqual(['version']);
    const args = (await readFile(folder.file('args'), 'utf8')).trim();
    expect(args).toMatch(/^\/app\/vdoctl\.js support-bundle --out \S+ --since 2h0m0s$/);
  });
});
