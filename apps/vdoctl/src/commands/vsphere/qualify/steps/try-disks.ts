import { trialCluster, trialPrefix } from '@vdo/acts/trials/trial-marks';
import { openFence } from '@vdo/base/fence';
import { isVdoError } from '@vdo/base/vdo-error';
import type { CnsEntityMetadata, CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { Site } from '../site.ts';
import { type createUndoing, trialName } from '../trial.ts';
import type { Steps } from './step.ts';
import { wrong } from './wrong.ts';

export interface TryDeps {
  readonly vcenter: FullVCenter;
  readonly steps: Steps;
  readonly site: Site;
  /** Of this run: eight hexadecimal digits. */
  readonly run: string;
  readonly undo: ReturnType<typeof createUndoing>;
  readonly userName: string;
  readonly signal: AbortSignal;
}

const mb = 1024n;

export const clusterOf = (vSphereUser: string) => ({ clusterId: trialCluster, vSphereUser, distribution: 'VANILLA' });

const grow = async ({ vcenter, signal }: TryDeps, id: string, toMb: bigint): Promise<void> => {
  await vcenter.cns.extend(id, toMb, { fence: openFence, signal });
  const [shown] = await vcenter.cns.queryVolumes({ volumeIds: [id] }, { signal });
  if (shown?.capacityMb !== toMb)
    throw wrong(`a volume that was expanded to ${toMb} MiB is reported with another size`);
};

const tryMetadata = async ({ vcenter, steps, userName, signal }: TryDeps, disk: CnsVolume): Promise<void> => {
  const pv: CnsEntityMetadata = { kind: 'PERSISTENT_VOLUME', name: `${trialPrefix}pv`, labels: { app: 'vdo-qualify' } };
  const update = async (remove: boolean) => {
    const entities = [{ ...pv, remove }];
    const changed = [{ volumeId: disk.id, cluster: clusterOf(userName), entities }];
    const [outcome] = await vcenter.cns.updateMetadata(changed, { fence: openFence, signal });
    if (outcome && !outcome.ok) throw outcome.error;
  };
  await steps.try('set the PersistentVolume that uses the disk', 'block-volumes', () => update(false));
  await steps.try('remove that PersistentVolume', 'block-volumes', () => update(true));
};

const tryAttachment = async (deps: TryDeps, disk: CnsVolume): Promise<void> => {
  const { vcenter, steps, site, undo, signal } = deps;
  const { vm } = site;
  const item = { volumeId: disk.id, vm };
  const uuid = await steps.try('attach the disk', 'block-volumes', async () => {
    const [outcome] = await vcenter.cns.attach([item], { fence: openFence, signal });
    if (outcome && !outcome.ok) throw outcome.error;
    return outcome?.value ?? '';
  });
  if (uuid === undefined) return;
  await steps.try('find the disk on the VM', 'block-volumes', async () => {
    const disks = (await vcenter.disks.of([vm], { signal })).get(vm.value) ?? [];
    const found = disks.find(({ volumeId }) => volumeId === disk.id);
    if (!found) throw wrong('an attached disk is not in the device list of its VM');
    if (found.diskUuid !== uuid) throw wrong('an attached disk has another UUID on its VM than vCenter reported');
  });
  await steps.try('expand the disk while it is attached', 'growth-in-use', () => grow(deps, disk.id, 2n * mb));
  await steps.try('detach the disk', 'block-volumes', () => undo.detach(disk.id, vm));
  await steps.try('check that it is detached', 'block-volumes', async () => {
    const error = await undo.detach(disk.id, vm).catch((reason: unknown) => reason);
    // vCenter versions differ in whether this is a fault. It must be reported in this form, to be distinguished from a lost reply.
    if (error !== undefined && !isVdoError(error, 'VolumeNotFound', 'VCenterObjectNotFound')) throw error;
  });
};

const trySnapshots = async (deps: TryDeps, disk: CnsVolume): Promise<void> => {
  const { vcenter, steps, site, run, undo, userName, signal } = deps;
  const calling = { fence: openFence, signal };
  const snapshot = await steps.try('create a snapshot', 'snapshots', () =>
    vcenter.cns.createSnapshot(disk.id, `${trialPrefix}snapshot`, calling),
  );
  if (!snapshot) return;
  await steps.try('find the snapshot', 'snapshots', async () => {
    const found = await vcenter.cns.querySnapshots({ volumeId: disk.id, snapshotId: snapshot.id }, { signal });
    if (!found.some(({ id }) => id === snapshot.id)) throw wrong('a created snapshot is not listed');
  });
  const copy = await steps.try('copy the snapshot to another disk', 'snapshots', async () => {
    const [shown] = await vcenter.cns.queryVolumes({ volumeIds: [disk.id] }, { signal });
    return vcenter.cns.createFromSnapshot(
      {
        name: trialName(site.vm, run, 'copy'),
        capacityMb: shown?.capacityMb ?? mb,
        datastores: [site.datastore],
        cluster: clusterOf(userName),
        source: { volumeId: disk.id, snapshotId: snapshot.id },
      },
      calling,
    );
  });
  if (copy) await steps.try('delete the copy', 'snapshots', () => undo.deleteVolume(copy.id));
  await steps.try('delete the snapshot', 'snapshots', () => undo.deleteSnapshot(disk.id, snapshot.id));
};

const tryPolicy = async ({ vcenter, steps, site, signal }: TryDeps, disk: CnsVolume): Promise<void> => {
  const step = 'change the storage policy of the disk';
  const fitting = async (): Promise<string | undefined> => {
    for (const { id } of await vcenter.policies.list({ signal })) {
      const { compatible } = await vcenter.policies.placement(id, [site.datastore], { signal });
      if (compatible.length > 0) return id;
    }
    return undefined;
  };
  // A volume without a policy is reported with an empty one.
  const policy = disk.storagePolicyId || (await steps.try('find a storage policy for the disk', 'policies', fitting));
  if (policy === undefined) steps.skip(step, 'policy-change', 'no storage policy is compatible with the datastore');
  else
    await steps.try(step, 'policy-change', () =>
      vcenter.cns.changePolicy(disk.id, policy, { fence: openFence, signal }),
    );
};

/** Creates a disk, runs the operations of the storage driver on it, and deletes it. */
export const tryDisks = async (deps: TryDeps): Promise<void> => {
  const { vcenter, steps, site, run, undo, userName, signal } = deps;
  const name = trialName(site.vm, run, 'disk');
  const disk = await steps.try('create a disk of 1 GiB', 'block-volumes', () =>
    vcenter.cns.createBlockVolume(
      { name, capacityMb: mb, datastores: [site.datastore], cluster: clusterOf(userName) },
      { fence: openFence, signal },
    ),
  );
  if (!disk) return;
  await steps.try('find the disk by its name', 'block-volumes', async () => {
    const found = await vcenter.cns.queryVolumes({ names: [name] }, { signal });
    if (!found.some(({ id }) => id === disk.id)) throw wrong('a created volume was not found by its name');
  });
  await tryMetadata(deps, disk);
  await tryAttachment(deps, disk);
  await steps.try('expand the disk', 'growth', () => grow(deps, disk.id, 3n * mb));
  await trySnapshots(deps, disk);
  await tryPolicy(deps, disk);
  await steps.try('delete the disk', 'block-volumes', () => undo.deleteVolume(disk.id));
};
