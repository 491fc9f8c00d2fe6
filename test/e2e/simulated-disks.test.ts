import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@vdo/base/async/wait-until';
import { createSystemClock } from '@vdo/base/clock';
import { publishVolume } from '@vdo/csi/node/volumes/publish-volume';
import { stageVolume } from '@vdo/csi/node/volumes/stage-volume';
import { unmountPath } from '@vdo/csi/node/volumes/unmount-path';
import { runSimulatedCommand } from '@vdo/linux-disks/simulated/simulated-commands';
import { createSimulatedMounter } from '@vdo/linux-disks/simulated/simulated-mounter';
import { attachmentsOfSim } from '@vdo/sandbox/disks/attachments';
import type { NodeMachine } from '@vdo/sandbox/disks/node-disks';
import { createSimulatedDisks } from '@vdo/sandbox/disks/simulated-disks';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const clock = createSystemClock();
const diskUuid = '6000c29a-1111-2222-3333-444455556666';
const { signal } = new AbortController();
const access = { kind: 'mount', fsType: 'ext4', mountFlags: [], readOnly: false, exclusive: false } as const;

describe('simulated disks under the real node role', () => {
  let folder = '';
  let attachedTo: string | undefined;
  let stop: () => Promise<void>;
  let machineOf: (name: string) => Promise<NodeMachine>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disks-'));
    attachedTo = undefined;
    // What the vCenter knows of one volume: all that the disks follow.
    const vsphere = {
      volumes: {
        list: () => [
          {
            id: 'v1',
            type: 'BLOCK',
            diskUuid,
            capacityMb: 1024n,
            attachedTo: attachedTo && { vm: { value: attachedTo } },
          },
        ],
      },
      control: { read: (vm: string) => vm },
    } as unknown as Pick<VSphereSim, 'volumes' | 'control'>;
    const uuidOf = () => demoUuid(1);
    const disks = await createSimulatedDisks({
      attachments: attachmentsOfSim(vsphere),
      uuidOf,
      folder: join(folder, 'm'),
      clock,
    });
    machineOf = disks.machine;
    const stopping = new AbortController();
    const running = disks.run(stopping.signal);
    stop = async () => {
      stopping.abort();
      await running;
    };
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  // A mounter of its own each time, as if the node role had been started anew.
  const deps = (machine: NodeMachine) => ({
    ...machine,
    run: runSimulatedCommand,
    mounter: createSimulatedMounter({ tableFile: machine.mountTable ?? '', sysfsRoot: machine.sysfsRoot }),
    clock,
    diskTimeoutMs: 5_000,
  });
  const disk = { kind: 'disk', diskUuid, expectedBytes: 1024n ** 3n, firstUse: false } as const;
  const mount = async (machine: NodeMachine, name: string) => {
    const [stagingPath, targetPath] = [join(folder, name, 'staging'), join(folder, name, 'target')];
    await mkdir(stagingPath, { recursive: true });
    await stageVolume({ stagingPath, access, disk, blank: true }, deps(machine), signal);
    await publishVolume({ stagingPath, targetPath, access, disk }, deps(machine), signal);
    const unmount = async () => {
      await unmountPath(targetPath, deps(machine), signal);
      await unmountPath(stagingPath, deps(machine), signal);
    };
    return { targetPath, unmount };
  };

  it('carry what was written from one node to the next', async () => {
    attachedTo = 'node-1';
    const first = await mount(await machineOf('node-1'), 'a');
    await writeFile(join(first.targetPath, 'note.txt'), 'kept');
    await first.unmount();
    attachedTo = 'node-2';
    const second = await mount(await machineOf('node-2'), 'b');
    expect(await readFile(join(second.targetPath, 'note.txt'), 'utf8')).toBe('kept');
    await second.unmount();
  });

  it('are not found on a node to which they are not attached', async () => {
    attachedTo = 'node-1';
    const other = { ...deps(await machineOf('node-2')), diskTimeoutMs: 300 };
    const request = { stagingPath: join(folder, 's'), access, disk, blank: true };
    await expect(stageVolume(request, other, signal)).rejects.toMatchObject({ code: 'NodeDiskNotFound' });
  });

  it('vanish from the node when they are detached', async () => {
    attachedTo = 'node-1';
    const machine = await machineOf('node-1');
    await (await mount(machine, 'a')).unmount();
    attachedTo = undefined;
    const request = { stagingPath: join(folder, 's'), access, disk, blank: true };
    const gone = async () =>
      stageVolume(request, { ...deps(machine), diskTimeoutMs: 0 }, signal).then(
        () => false,
        (error: { readonly code?: string }) => error.code === 'NodeDiskNotFound',
      );
    await waitUntil(gone, { what: 'the disk to vanish', remedy: '', timeoutMs: 30_000, clock, signal });
  });
});
