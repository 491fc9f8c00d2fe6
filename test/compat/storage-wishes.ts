import { volumeIntents } from '@vdo/csi/intents/kube-intent-store';
import { persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { volumeSnapshotContents, volumeSnapshots } from '@vdo/kube/types/snapshots';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { nodeCount, type ProcessTestbed } from './process-testbed.ts';

const namespace = 'default';

/** What users ask for, and what must be true of it whichever release serves them. */
export const createWishes = ({ kube, vsphere, until }: ProcessTestbed) => {
  /** Disks that users have retained: they live for ever. */
  const retained = new Set<string>();

  const claim = (name: string, storageClassName: 'delete' | 'retain') =>
    kube.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } } },
    });
  const volumeOf = async (name: string) => {
    const found = await kube.find(persistentVolumeClaims, { namespace, name });
    if (found?.status?.phase !== 'Bound') return undefined;
    return kube.find(persistentVolumes, { name: found.spec.volumeName ?? '' });
  };
  // A volume that a dead process may have asked for is not asked for again within six minutes.
  const bound = (name: string) => until(`claim ${name} to be bound`, () => volumeOf(name), 450_000);
  const attached = (name: string) =>
    until(`attachment ${name}`, async () => (await kube.find(volumeAttachments, { name }))?.status?.attached);

  /** What is wrong now; empty is right. */
  const violations = async (): Promise<readonly string[]> => {
    const disks = vsphere.volumes.list();
    const { items } = await kube.list(persistentVolumes);
    const handles = items.map(({ spec }) => spec.csi?.volumeHandle ?? '');
    const attachments = (await kube.list(volumeAttachments)).items.filter(({ status }) => status?.attached);
    const snapshots = (await kube.list(volumeSnapshotContents)).items.filter(({ status }) => status?.['readyToUse']);
    const vmOf = (node: string) => vsphere.control.find(node, 'VirtualMachine').value;
    const diskOf = (name: string) => {
      const handle = items.find(({ metadata }) => metadata.name === name)?.spec.csi?.volumeHandle;
      return disks.find(({ id }) => id === handle);
    };
    return [
      ...[...retained].filter((id) => !disks.some((disk) => disk.id === id)).map((id) => `retained disk ${id} is gone`),
      ...items
        .filter(({ status }) => status?.phase === 'Bound')
        .filter(({ metadata }) => !diskOf(metadata.name ?? ''))
        .map(({ metadata }) => `${metadata.name} is bound and has no disk`),
      ...handles.filter((one, at) => handles.indexOf(one) !== at).map((one) => `two PersistentVolumes have ${one}`),
      ...items
        .filter(({ metadata }) => disks.filter(({ name }) => name === metadata.name).length > 1)
        .map(({ metadata }) => `${metadata.name} has two disks`),
      ...attachments
        .filter(
          ({ spec }) => diskOf(spec.source.persistentVolumeName ?? '')?.attachedTo?.vm.value !== vmOf(spec.nodeName),
        )
        .map(({ metadata }) => `${metadata.name} says attached, and its disk is not on the VM`),
      ...snapshots
        .filter((content) => {
          const [volume, snapshot] = String(content.status?.['snapshotHandle'] ?? '').split('+');
          return !disks.find(({ id }) => id === volume)?.snapshots.some(({ id }) => id === snapshot);
        })
        .map(({ metadata }) => `snapshot of ${metadata.name} is gone`),
    ];
  };

  return {
    claim,
    bound,
    attached,
    attach: (name: string, volume: string, index: number) =>
      kube.create(volumeAttachments, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name },
        spec: {
          attacher: 'csi.vsphere.vmware.com',
          nodeName: `node-${1 + (index % nodeCount)}`,
          source: { persistentVolumeName: volume },
        },
      }),
    detach: (name: string) => kube.delete(volumeAttachments, { name }),
    detached: (name: string) =>
      until(`attachment ${name} to go`, async () => !(await kube.find(volumeAttachments, { name }))),
    snapshot: (name: string, persistentVolumeClaimName: string) =>
      kube.create(volumeSnapshots, {
        apiVersion: 'snapshot.storage.k8s.io/v1',
        kind: 'VolumeSnapshot',
        metadata: { name, namespace },
        spec: { source: { persistentVolumeClaimName }, volumeSnapshotClassName: 'snap' },
      }),
    taken: (name: string) =>
      until(
        `snapshot ${name}`,
        async () => (await kube.find(volumeSnapshots, { namespace, name }))?.status?.readyToUse,
      ),
    remove: (name: string) => kube.delete(persistentVolumeClaims, { namespace, name }),
    gone: (volume: string) =>
      until(`volume ${volume} to go`, async () => !(await kube.find(persistentVolumes, { name: volume }))),
    /** The user keeps a disk and removes what names it. */
    retain: async (name: string) => {
      const volume = await bound(name);
      retained.add(volume.spec.csi?.volumeHandle ?? '');
      await kube.delete(persistentVolumeClaims, { namespace, name });
      await kube.delete(persistentVolumes, { name: volume.metadata.name ?? '' });
      await until(
        `volume of ${name} to go`,
        async () => !(await kube.find(persistentVolumes, { name: volume.metadata.name ?? '' })),
      );
    },
    /** What is wrong and stays so. Lists that were read one after the other may show what never was. */
    lasting: async (): Promise<readonly string[]> => {
      await until('nothing to be wrong', async () => (await violations()).length === 0, 20_000).catch(() => {});
      return violations();
    },
    /** Disks that nobody has asked for, and of which nobody tells: what was handed over and has no owner any more is kept, and noted. */
    strays: async (): Promise<readonly string[]> => {
      const { items } = await kube.list(persistentVolumes);
      const noted = (await kube.list(volumeIntents)).items.map(({ spec }) => spec.volumeId ?? '');
      const known = new Set([...retained, ...noted, ...items.map(({ spec }) => spec.csi?.volumeHandle ?? '')]);
      return vsphere.volumes.list().flatMap(({ id, name }) => (known.has(id) ? [] : [`${id} (${name})`]));
    },
  };
};
