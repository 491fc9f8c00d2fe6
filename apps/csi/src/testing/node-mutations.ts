/** A fault planted in a guard of the node role, and the test that has to notice. */
export interface Mutation {
  readonly guard: string;
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  readonly test: string;
  /** Of the test, as vitest filters. */
  readonly name: string;
}

const disks = 'packages/linux-disks/src/';
const volumes = 'apps/csi/src/node/volumes/';
const node = 'apps/csi/src/node/';

export const nodeMutations: readonly Mutation[] = [
  {
    guard: 'a disk is never unmounted lazily',
    file: `${disks}mounter.ts`,
    search: 'if (!network) throw notUnmounted',
    replace: 'if (!network && !deadServer.test(stderr)) throw notUnmounted',
    ...{ test: `${node}unstage.real.test.ts`, name: 'never hides a busy disk' },
  },
  {
    guard: 'the kernel is asked whether the disk is still claimed',
    file: `${volumes}unstage-volume.ts`,
    search: 'if (disk && (await staysClaimed(disk.path, { clock, signal })))',
    replace: 'if (disk && !(await staysClaimed(disk.path, { clock, signal })) && path === "")',
    ...{ test: `${node}unstage.real.test.ts`, name: 'another mount namespace' },
  },
  {
    guard: 'other mounts of the disk are seen',
    file: `${volumes}unstage-volume.ts`,
    search: 'if (others.length > 0) throw',
    replace: 'if (others.length > 99) throw',
    ...{ test: `${node}unstage.real.test.ts`, name: 'fails while a pod has the device' },
  },
  {
    guard: 'what was staged is remembered',
    file: `${volumes}stage-volume.ts`,
    search: 'await deps.stagedDisks?.remember(stagingPath, diskUuid);',
    replace: '',
    ...{ test: `${node}unstage.real.test.ts`, name: 'unmounted lazily' },
  },
  {
    guard: 'what an older version staged is noted before it is unmounted',
    file: `${volumes}unstage-volume.ts`,
    search: 'await noteDisk(path, disk, deps);',
    replace: '',
    ...{ test: `${node}unstage.real.test.ts`, name: 'is not needed to see' },
  },
  {
    guard: 'the note follows what is mounted',
    file: `${volumes}unstage-volume.ts`,
    search: "if (noted?.replaceAll('-', '').toLowerCase() !== diskUuid) await",
    replace: 'if (noted === undefined) await',
    ...{ test: `${node}odd-sequences.real.test.ts`, name: 'do not make the driver forget' },
  },
  {
    guard: 'what is in memory is written before a disk is called unused',
    file: `${volumes}unstage-volume.ts`,
    search: '  if (disk) await flush(disk, deps, signal);\n',
    replace: '',
    ...{ test: `${node}unstage.real.test.ts`, name: 'writes what is only in memory' },
  },
  {
    guard: 'what a raw target leads to is looked at',
    file: `${volumes}publish-volume.ts`,
    search: 'if (!bound || (await isOfDisk(bound, request, disk, deps)))',
    replace: 'if (!bound || isOfDisk !== undefined)',
    ...{ test: `${node}odd-sequences.real.test.ts`, name: 'right before it is shown' },
  },
  {
    guard: 'target and staging path do not lie within each other',
    file: `${volumes}publish-volume.ts`,
    search: 'if (isWithin(stagingPath, targetPath) || isWithin(targetPath, stagingPath))',
    replace: "if (isWithin(stagingPath, '?'))",
    ...{ test: `${node}odd-sequences.real.test.ts`, name: 'is refused: it would be mounted' },
  },
  {
    guard: 'links are refused',
    file: `${disks}mounter.ts`,
    search: 'if (kind?.isSymbolicLink()) throw',
    replace: 'if (kind?.isSocket()) throw',
    ...{ test: `${node}unstage.real.test.ts`, name: 'refuses a target that is a link' },
  },
  {
    guard: 'signs of use keep a disk from being formatted',
    file: `${volumes}decide-format.ts`,
    search: 'if (signAt !== undefined)',
    replace: 'if (signAt === -1n)',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'ext4 of 64 MiB that lost its first 4096' },
  },
  {
    guard: 'signatures keep a disk from being formatted',
    file: `${volumes}decide-format.ts`,
    search: "if (content.kind === 'other') throw",
    replace: "if (content.kind === 'other' && device === '') throw",
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'a boot sector with a partition' },
  },
  {
    guard: "somebody else's unfinished mkfs is left alone",
    file: `${volumes}decide-format.ts`,
    search: "if (content.kind === 'unfinished')",
    replace: "if (content.kind === 'unfinished' && device === '')",
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'somebody else did not finish' },
  },
  {
    guard: 'copies are not formatted',
    file: `${volumes}decide-format.ts`,
    search: 'if (blank === false)',
    replace: "if (blank === false && device === '')",
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'an empty copy' },
  },
  {
    guard: 'the size is the one that vCenter tells',
    file: `${volumes}decide-format.ts`,
    search: 'if (expectedBytes !== undefined && expectedBytes !== sizeBytes)',
    replace: 'if (expectedBytes === 1n)',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'an empty disk of another size' },
  },
  {
    guard: 'created empty ends with the first attachment',
    file: `${volumes}stage-volume.ts`,
    search: 'blank === true && firstUse && (await',
    replace: 'blank === true && (await',
    ...{ test: `${node}first-use.real.test.ts`, name: 'that was attached before is read whole' },
  },
  {
    guard: 'created empty ends with the first use of the first attachment',
    file: `${volumes}stage-volume.ts`,
    search: '(await deps.usedDisks?.has(diskUuid)) === false',
    replace: 'deps.usedDisks !== undefined',
    ...{ test: `${node}first-use.real.test.ts`, name: 'when all of it is lost but a page' },
  },
  {
    guard: 'a raw volume counts as used',
    file: `${volumes}stage-volume.ts`,
    search: '    else await rememberUse(disk, deps);\n',
    replace: '',
    ...{ test: `${node}first-use.real.test.ts`, name: 'and used raw is not formatted' },
  },
  {
    guard: 'the end of a large disk is read',
    file: `${disks}disk-signs.ts`,
    search: '[0n, size - endBytes]',
    replace: '[0n, 0n]',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'the copy of a GPT at the end of a large disk' },
  },
  {
    guard: 'a large disk is read in many places',
    file: `${disks}disk-signs.ts`,
    search: '[...placesOfCopies(size), ...evenly]',
    replace: 'placesOfCopies(size)',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'three MiB of raw data' },
  },
  {
    guard: 'a small disk is read whole',
    file: `${disks}disk-signs.ts`,
    search: 'return [{ offset: 0n, length: size }]',
    replace: 'return [{ offset: 0n, length: size / 2n }]',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'one byte at its very end' },
  },
  {
    guard: 'a partition table with partitions is not overlooked',
    file: `${disks}probe-disk.ts`,
    search: '.every((byte) => byte === 0);\n\n/** True if an ext',
    replace: '.every((byte) => byte >= 0);\n\n/** True if an ext',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'below a table with a partition' },
  },
  {
    guard: 'a mark counts only where it is whole',
    file: `${disks}format-mark.ts`,
    search: 'return exitCode === 0;',
    replace: 'return exitCode <= 1;',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'marks of which a bit has changed' },
  },
  {
    guard: 'a used file system is kept, mark or no mark',
    file: `${disks}probe-disk.ts`,
    search: '[...time, ...count].every((byte) => byte === 0)',
    replace: '[...time, ...count].every((byte) => byte >= 0)',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'it is kept with its data' },
  },
  {
    guard: 'marks are taken away',
    file: `${disks}file-system.ts`,
    search: '  await clearFormatMark(disk, sizeBytes);\n',
    replace: '',
    ...{ test: `${node}format-corpus.real.test.ts`, name: 'holds nothing, with ext4' },
  },
  {
    guard: 'marks are written',
    file: `${disks}file-system.ts`,
    search: '  await writeFormatMark(disk, sizeBytes);\n',
    replace: '',
    ...{ test: `${node}node-stuck.real.test.ts`, name: 'an mkfs of ext4 that is cut short' },
  },
  {
    guard: 'mkfs is let to its end',
    file: `${disks}file-system.ts`,
    search: '{ limitMs: mkfsLimitMs, finish: true }',
    replace: '{ limitMs: mkfsLimitMs }',
    ...{ test: `${node}node-stuck.real.test.ts`, name: 'lets mkfs finish' },
  },
  {
    guard: 'of two disks with one UUID none is taken',
    file: `${disks}find-disk.ts`,
    search: 'if (names.length > 1) throw',
    replace: 'if (names.length > 9) throw',
    ...{ test: `${node}disk-identity.real.test.ts`, name: 'two disks with one UUID' },
  },
  {
    guard: 'the name still leads to the disk',
    file: `${disks}disk-handle.ts`,
    search: 'if (named?.rdev !== opened.rdev || named.ino !== opened.ino)',
    replace: "if (diskUuid === '')",
    ...{ test: `${node}disk-identity.real.test.ts`, name: 'leads to no other disk' },
  },
  {
    guard: 'programs write to what was opened, not to a name',
    file: `${disks}disk-handle.ts`,
    search: 'self: isDevice ? inherited : disk.path',
    replace: 'self: isDevice ? disk.path : inherited',
    ...{ test: `${node}disk-identity.real.test.ts`, name: 'before mkfs leads to no other disk' },
  },
  {
    guard: 'the kernel still says that it is the disk',
    file: `${disks}disk-handle.ts`,
    search: 'if (!(await isDiskOfUuid(disk.name, diskUuid, options)))',
    replace: "if (diskUuid === '')",
    ...{ test: `${node}disk-identity.real.test.ts`, name: 'by what the kernel says' },
  },
  {
    guard: 'the disk is locked',
    file: `${disks}disk-handle.ts`,
    search: '    await lock(disk, file, options);\n',
    replace: '',
    ...{ test: `${node}disk-identity.real.test.ts`, name: 'is not touched until it lets go' },
  },
  {
    guard: "another volume's files are not shown",
    file: `${volumes}publish-volume.ts`,
    search: 'if ((await diskOfMount(staged, deps))?.number !== disk.number) throw',
    replace: "if (stagingPath === '') throw",
    ...{ test: `${node}disk-identity.real.test.ts`, name: 'is not published to the pod' },
  },
  {
    guard: 'a mount that should be read-only is made so',
    file: `${volumes}publish-volume.ts`,
    search: 'await deps.mounter.remountReadOnly(targetPath, { signal })',
    replace: 'throw mountedOtherwise(targetPath, mounted)',
    ...{ test: `${node}node-stuck.real.test.ts`, name: 'bound and not yet made read-only' },
  },
  {
    guard: 'a raw disk for reading cannot be written to',
    file: `${volumes}device-access.ts`,
    search: 'if ((await isProtected()) === readOnly) return;',
    replace: "if (targetPath !== '') return;",
    ...{ test: `${node}node-stuck.real.test.ts`, name: 'cannot be written to, and later can' },
  },
  {
    guard: 'a broken file system is not shown to a pod',
    file: `${volumes}publish-volume.ts`,
    search: 'if (problem) throw unwell',
    replace: "if (problem === '') throw unwell",
    ...{ test: `${node}node-stuck.real.test.ts`, name: 'a broken xfs' },
  },
];
