import { type VolumeSnapshot, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { type Happening, pick } from './step.ts';

const namespace = 'default';

export const snapshot: Happening = async ({ world, truth, dice }) => {
  const ready = truth.claims().filter((one) => !one.shared && truth.volumeOf(one) && truth.snapshotsOf(one).length < 2);
  const claim = pick(ready, dice[0]);
  if (!claim) return undefined;
  const name = truth.named('snapshot');
  truth.all.snapshots.push({ name, claim, sizeGi: claim.sizeGi });
  await world.client.create<VolumeSnapshot>(volumeSnapshots, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name, namespace },
    spec: { source: { persistentVolumeClaimName: claim.name }, volumeSnapshotClassName: 'snap' },
  });
  return `${name} of ${claim.name}`;
};

export const deleteSnapshot: Happening = async ({ world, truth, dice }) => {
  const free = truth.snapshots().filter(({ name }) => !truth.isNeeded(name));
  const taken = pick(free, dice[0]);
  if (!taken) return undefined;
  taken.deleted = true;
  await world.client.delete(volumeSnapshots, { namespace, name: taken.name });
  return `${taken.name} is deleted`;
};
