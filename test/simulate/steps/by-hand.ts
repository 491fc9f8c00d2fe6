import { persistentVolumes } from '@vdo/kube/types/core';
import { type Happening, pick } from './step.ts';

const provisionerFinalizer = 'external-provisioner.volume.kubernetes.io/finalizer';

/** An administrator changes what becomes of a disk. */
export const changePolicy: Happening = async ({ world, truth, dice }) => {
  const volume = pick(world.list(persistentVolumes), dice[0]);
  if (!volume) return undefined;
  const { name = '', deletionTimestamp, finalizers = [] } = volume.metadata;
  const policy = volume.spec.persistentVolumeReclaimPolicy === 'Retain' ? 'Delete' : 'Retain';
  const isWanted = truth
    .fatesOf(volume.spec.csi?.volumeHandle ?? '')
    .some(({ state, uid }) => state === 'wanted' && uid === volume.metadata.uid);
  if (!isWanted) truth.decide(volume, policy === 'Retain' ? 'kept' : 'may go');
  // The driver lets go of what is kept, or has done so before, and cannot hold an object again that is being deleted.
  const isLetGo = policy === 'Retain' || !finalizers.includes(provisionerFinalizer);
  if (deletionTimestamp !== undefined && isLetGo) truth.force(volume);
  const body = { spec: { persistentVolumeReclaimPolicy: policy } };
  await world.client.patch(persistentVolumes, { name }, { type: 'merge', body });
  return `the policy of ${name} (${volume.spec.claimRef?.name}, ${volume.status?.phase}) becomes ${policy}`;
};

/** An administrator deletes a PersistentVolume; one that is in use stays until its claim goes. */
export const deleteVolume: Happening = async ({ world, truth, dice }) => {
  const volume = pick(
    world.list(persistentVolumes).filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    dice[0],
  );
  if (!volume) return undefined;
  const { name = '', finalizers = [] } = volume.metadata;
  // Nothing holds it for the driver, which had no time to put its finalizer on.
  if (!finalizers.includes(provisionerFinalizer)) truth.force(volume);
  // Its disk is still that of the other volume.
  if (name.startsWith(byHand)) truth.forget(volume);
  await world.client.delete(persistentVolumes, { name });
  return `PersistentVolume ${name} (${volume.spec.claimRef?.name}, ${volume.status?.phase}) is deleted by hand`;
};

/** An impatient one takes the finalizers off a PersistentVolume that does not go. */
export const forceVolume: Happening = async ({ world, truth, dice }) => {
  const stuck = world.list(persistentVolumes).filter((volume) => {
    const isWanted = truth.fates().some(({ uid, state }) => uid === volume.metadata.uid && state === 'wanted');
    return volume.metadata.deletionTimestamp !== undefined && !isWanted;
  });
  const volume = pick(stuck, dice[0]);
  if (!volume) return undefined;
  const { name = '' } = volume.metadata;
  truth.force(volume);
  await world.client.patch(persistentVolumes, { name }, { type: 'merge', body: { metadata: { finalizers: null } } });
  return `the finalizers of PersistentVolume ${name} are taken off by hand`;
};

/** How administrators name the volumes that they make. */
export const byHand = 'by-hand-';

/** An administrator hands the disk of a volume to another claim, and forgets the first one's policy. */
export const duplicateVolume: Happening = async (context) => {
  const { world, truth, dice } = context;
  const volume = pick(
    world.list(persistentVolumes).filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    dice[0],
  );
  const handle = volume?.spec.csi?.volumeHandle ?? '';
  if (!volume || truth.fatesOf(handle).length > 1 || !world.sim.volumes.get(handle)) return undefined;
  if (truth.fatesOf(handle).some(({ state }) => state === 'may go')) return undefined;
  const { annotations = {}, labels } = volume.metadata;
  const name = `${byHand}${truth.named('volume')}`;
  const { claimRef: _, ...spec } = volume.spec;
  await world.client.create(persistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations, ...(labels ? { labels } : {}) },
    spec: {
      ...spec,
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace: 'default', name: truth.named('nobody') },
    },
  });
  return `${name} has the disk of ${volume.metadata.name} (${volume.spec.claimRef?.name}), too`;
};
