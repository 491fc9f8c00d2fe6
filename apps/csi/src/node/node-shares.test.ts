import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { openFence } from '@vdo/base/fence';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import {
  VolumeCapability_AccessMode_Mode as Mode,
  NodeExpandVolumeRequestSchema,
  NodeGetVolumeStatsRequestSchema,
  NodePublishVolumeRequestSchema,
  NodeStageVolumeRequestSchema,
  NodeUnpublishVolumeRequestSchema,
} from '@vdo/csi-proto/gen/csi-pb';
import { createMounter } from '@vdo/linux-disks/mounter';
import type { CommandResult, RunCommand } from '@vdo/linux-disks/run-command';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeService } from './node-service.ts';

const signal = AbortSignal.timeout(60_000);
const context = { signal, lifetime: signal, fence: openFence };
const share = { type: 'vSphere CNS File Volume', Nfsv4AccessPoint: 'files.example.com:/vsanfs/abc' };
const capability = (
  mode: (typeof Mode)[keyof typeof Mode] = Mode.MULTI_NODE_MULTI_WRITER,
  mountFlags: string[] = [],
) => ({
  accessMode: { mode },
  accessType: { case: 'mount' as const, value: { fsType: '', mountFlags } },
});

/** What a program ends with that waited for a server too long. */
const silent: CommandResult = { exitCode: 137, stdout: '', stderr: '', timedOut: true };

/** A machine on which mount and umount change a list, and servers can stop to answer. */
const createMachine = () => {
  const commands: string[] = [];
  const limits = new Map<string, number | undefined>();
  const mounts: { target: string; source: string; options: string }[] = [];
  const answers = new Map<string, CommandResult>();
  /** Commands that end later. */
  const waits = new Map<string, Promise<CommandResult>>();
  const ok: CommandResult = { exitCode: 0, stdout: '', stderr: '' };
  const mountInfo = () =>
    mounts.map(({ target, source, options }) => `1 1 0:50 / ${target} ${options} - nfs4 ${source} rw\n`).join('');
  const run: RunCommand = async (command, args, { limitMs }) => {
    const line = [command, ...args].join(' ');
    commands.push(line);
    limits.set(line, limitMs);
    const waited = [...waits].find(([part]) => line.includes(part))?.[1];
    const answer = (await waited) ?? [...answers].find(([start]) => line.includes(start))?.[1] ?? ok;
    if (answer.exitCode !== 0 && !line.startsWith('umount -f -l')) return answer;
    const target = args.at(-1) ?? '';
    if (command === 'mount')
      mounts.push({
        target,
        source: args.at(-2) ?? '',
        options: args.some((word) => word.split(',').includes('ro')) ? 'ro' : 'rw',
      });
    if (line.includes('umount'))
      mounts.splice(
        mounts.findLastIndex((one) => one.target === target),
        1,
      );
    return answer;
  };
  return { commands, limits, mounts, answers, waits, run, mountInfo };
};

describe('a file share', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shares-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const setup = () => {
    const machine = createMachine();
    const mounter = createMounterOf(machine);
    const node = createNodeService({
      run: machine.run,
      mounter,
      clock: createVirtualClock(),
      sysfsRoot: folder,
      devRoot: folder,
      nodeUuid: async () => 'x',
    });
    const target = join(folder, 'target');
    const publish = (
      more: { readonly readonly?: boolean; readonly volumeCapability?: ReturnType<typeof capability> } = {},
      publishContext: Record<string, string> = share,
    ) =>
      node.nodePublishVolume?.(
        create(NodePublishVolumeRequestSchema, {
          volumeId: 'file:abc',
          stagingTargetPath: join(folder, 'staging'),
          targetPath: target,
          volumeCapability: capability(),
          publishContext,
          ...more,
        }),
        context,
      );
    return { machine, node, target, publish };
  };
  // The real mounter, over the list of the machine instead of /proc.
  const createMounterOf = (machine: ReturnType<typeof createMachine>) => {
    const path = join(folder, 'mountinfo');
    return createMounter(async (command, args, options) => {
      const result = await machine.run(command, args, options);
      await writeFile(path, machine.mountInfo());
      return result;
    }, path);
  };
  beforeEach(() => writeFile(join(folder, 'mountinfo'), ''));

  it('is mounted where its pod sees it, as vSAN needs it, and once', async () => {
    const { machine, node, target, publish } = setup();
    await node.nodeStageVolume?.(
      create(NodeStageVolumeRequestSchema, {
        volumeId: 'file:abc',
        stagingTargetPath: join(folder, 'staging'),
        volumeCapability: capability(),
        publishContext: share,
      }),
      context,
    );
    expect(machine.commands).toEqual([]);
    await publish({ volumeCapability: capability(Mode.MULTI_NODE_MULTI_WRITER, ['noatime']) });
    await publish();
    expect(machine.commands.filter((line) => line.startsWith('mount'))).toEqual([
      `mount -t nfs4 -o hard,sec=sys,vers=4,minorversion=1,noatime -- files.example.com:/vsanfs/abc ${target}`,
    ]);
  });

  it('for reading is mounted read-only', async () => {
    const { machine, publish } = setup();
    await publish({ readonly: true });
    expect(machine.commands.at(-1)).toContain('-o hard,sec=sys,vers=4,minorversion=1,ro ');
  });

  it('for reading stays read-only whatever the class says, which may change the rest', async () => {
    const { machine, publish } = setup();
    await publish({ readonly: true, volumeCapability: capability(Mode.MULTI_NODE_MULTI_WRITER, ['rw', 'nconnect=4']) });
    expect(machine.commands.at(-1)).toContain('-o hard,sec=sys,vers=4,minorversion=1,rw,nconnect=4,ro ');
  });

  it('of a server that does not answer is given up after a minute, and mounted when it does', async () => {
    const { machine, target, publish } = setup();
    machine.answers.set('mount -t nfs4', silent);
    await expect(publish()).rejects.toMatchObject({
      code: 'NodeMountFailed',
      message: expect.stringMatching(/files\.example\.com:\/vsanfs\/abc .*did not answer within 60 s/),
      remedy: expect.stringContaining('files.example.com is reachable at TCP port 2049'),
    });
    expect([...machine.limits.values()]).toEqual([60_000]);
    machine.answers.clear();
    await publish();
    expect(machine.mounts).toMatchObject([{ target }]);
  });

  it('that its server refuses says why', async () => {
    const { machine, publish } = setup();
    const stderr = 'mount.nfs4: access denied by server while mounting files.example.com:/vsanfs/abc\n';
    machine.answers.set('mount -t nfs4', { exitCode: 32, stdout: '', stderr });
    await expect(publish()).rejects.toMatchObject({ message: expect.stringContaining('access denied by server') });
  });

  it('for many readers is mounted read-only by each of them', async () => {
    const { machine, node, target, publish } = setup();
    const readers = capability(Mode.MULTI_NODE_READER_ONLY);
    await publish({ volumeCapability: readers });
    await node.nodePublishVolume?.(
      create(NodePublishVolumeRequestSchema, {
        volumeId: 'file:abc',
        stagingTargetPath: join(folder, 'staging'),
        targetPath: `${target}-2`,
        volumeCapability: readers,
        publishContext: share,
      }),
      context,
    );
    expect(machine.mounts.map(({ options }) => options)).toEqual(['ro', 'ro']);
    await expect(publish({ volumeCapability: capability() })).rejects.toMatchObject({
      code: 'VolumeConflict',
      message: expect.stringContaining('already mounted read-only'),
    });
  });

  it('for one pod only is not mounted for a second one', async () => {
    const { machine, node, target, publish } = setup();
    const onePod = capability(Mode.SINGLE_NODE_SINGLE_WRITER);
    await publish({ volumeCapability: onePod });
    const second = create(NodePublishVolumeRequestSchema, {
      volumeId: 'file:abc',
      stagingTargetPath: join(folder, 'staging'),
      targetPath: `${target}-2`,
      volumeCapability: onePod,
      publishContext: share,
    });
    await expect(node.nodePublishVolume?.(second, context)).rejects.toMatchObject({
      code: 'VolumeAttachedElsewhere',
      message: expect.stringContaining(target),
    });
    expect(machine.mounts).toHaveLength(1);
  });

  it('whose server does not answer is taken out of sight and mounted anew', async () => {
    const { machine, target, publish } = setup();
    await publish();
    machine.answers.set('stat --format=%i', silent);
    machine.answers.set(`umount ${target}`, silent);
    await publish();
    expect(machine.commands).toContain(`umount -f -l ${target}`);
    expect(machine.mounts).toHaveLength(1);
    // Whatever touches the mount of a server that may be away ends in time.
    expect([...machine.limits].filter(([line]) => !line.startsWith('mount')).map(([, limitMs]) => limitMs)).toEqual([
      20_000, 20_000, 20_000,
    ]);
  });

  it('in use is not unmounted by force', async () => {
    const { machine, node, target, publish } = setup();
    await publish();
    machine.answers.set(`umount ${target}`, { exitCode: 32, stdout: '', stderr: 'umount: target is busy.' });
    const request = create(NodeUnpublishVolumeRequestSchema, { volumeId: 'file:abc', targetPath: target });
    await expect(node.nodeUnpublishVolume?.(request, context)).rejects.toMatchObject({
      code: 'NodeMountFailed',
      message: expect.stringContaining('target is busy'),
    });
    // The name of the folder is random and may hold anything, so only the options count.
    expect(machine.commands.filter((line) => /^umount -/.test(line))).toEqual([]);
  });

  it('that hangs keeps nobody else waiting', async () => {
    const { machine, node, target, publish } = setup();
    let release: (result: CommandResult) => void = () => {};
    const hung = new Promise<CommandResult>((resolve) => {
      release = resolve;
    });
    machine.waits.set('files.example.com:/vsanfs/abc', hung);
    const waiting = publish();
    const other = { ...share, Nfsv4AccessPoint: 'other.example.com:/vsanfs/def' };
    const request = create(NodePublishVolumeRequestSchema, {
      volumeId: 'file:def',
      stagingTargetPath: join(folder, 'staging'),
      targetPath: `${target}-2`,
      volumeCapability: capability(),
      publishContext: other,
    });
    await node.nodePublishVolume?.(request, context);
    expect(machine.mounts).toMatchObject([{ source: other.Nfsv4AccessPoint }]);
    release(silent);
    await expect(waiting).rejects.toMatchObject({ code: 'NodeMountFailed' });
  });

  it('is unmounted within a time, whatever its server does', async () => {
    const { machine, node, target, publish } = setup();
    await publish();
    machine.answers.set(`umount ${target}`, { exitCode: 32, stdout: '', stderr: 'umount: Stale file handle' });
    await node.nodeUnpublishVolume?.(
      create(NodeUnpublishVolumeRequestSchema, { volumeId: 'file:abc', targetPath: target }),
      context,
    );
    expect(machine.limits.get(`umount ${target}`)).toBe(20_000);
    expect(machine.commands).toContain(`umount -f -l ${target}`);
    expect(machine.mounts).toEqual([]);
  });

  it('tells its usage, and that it is unwell if its server is away', async () => {
    const { machine, node, target, publish } = setup();
    await publish();
    machine.answers.set('--file-system', { exitCode: 0, stdout: '4096 100 60 50 10 4\n', stderr: '' });
    const stats = () =>
      node.nodeGetVolumeStats?.(
        create(NodeGetVolumeStatsRequestSchema, { volumeId: 'file:abc', volumePath: target }),
        context,
      );
    expect(await stats()).toMatchObject({
      usage: [
        { total: 409_600n, used: 163_840n, available: 204_800n },
        { total: 10n, used: 6n, available: 4n },
      ],
      volumeCondition: { abnormal: false },
    });
    machine.answers.set('--file-system', silent);
    expect(await stats()).toMatchObject({
      volumeCondition: { abnormal: true, message: expect.stringContaining('did not answer within 20 s') },
    });
    expect([...machine.limits].at(-1)).toEqual([expect.stringContaining('stat --file-system'), 20_000]);
  });

  it('has nothing to grow on the node', async () => {
    const { node, target, publish } = setup();
    await publish();
    const reply = await node.nodeExpandVolume?.(
      create(NodeExpandVolumeRequestSchema, {
        volumeId: 'file:abc',
        volumePath: target,
        capacityRange: { requiredBytes: 7n },
      }),
      context,
    );
    expect(reply).toMatchObject({ capacityBytes: 7n });
  });

  it.each([
    ['without an access point', {}, { type: share.type }, 'InvalidArgument'],
    ['with options in its access point', {}, { ...share, Nfsv4AccessPoint: 'host:/a,exec' }, 'InvalidArgument'],
  ])('%s is refused', async (_name, more, publishContext, code) => {
    const { publish } = setup();
    await expect(publish(more, publishContext as Record<string, string>)).rejects.toMatchObject({ code });
  });
});
