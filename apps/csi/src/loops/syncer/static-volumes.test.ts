import type { PersistentVolume } from '@vdo/kube/types/core';
import { expect, it } from 'vitest';
import { createStaticVolumes, type StaticVolumesDeps } from './static-volumes.ts';

const volume = (phase: string, policy: 'Delete' | 'Retain', metadata: object = {}): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv', ...metadata },
  spec: {
    persistentVolumeReclaimPolicy: policy,
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: '00000000-0000-4000-8000-000000000001' },
  },
  status: { phase },
});

/** A vCenter that has the disk and no volume of it. */
const taken = async (object: PersistentVolume): Promise<readonly string[]> => {
  const registered: string[] = [];
  const take = createStaticVolumes({
    volumes: { find: async () => undefined },
    registerDisk: async (id: string) => {
      registered.push(id);
      return { id, server: 'vc.example.com' };
    },
    sender: { learn: () => {}, send: async () => new Map() },
    view: { entities: () => [] },
    events: { record: () => {} },
    clusterId: 'a',
  } as unknown as StaticVolumesDeps);
  await take(object, new AbortController().signal);
  return registered;
};

it.each([
  ['of a volume that people brought', volume('Available', 'Retain'), 1],
  ['of a volume in use', volume('Bound', 'Delete'), 1],
  ['of a volume that outlives its claim', volume('Released', 'Retain'), 1],
  ['of a volume that is deleted with its claim', volume('Released', 'Delete'), 0],
  ['of a volume that goes', volume('Released', 'Retain', { deletionTimestamp: '2026-01-01T00:00:00Z' }), 0],
  ['of a volume in use that is deleted', volume('Bound', 'Delete', { deletionTimestamp: '2026-01-01T00:00:00Z' }), 1],
])('the disk %s is taken in or left alone', async (_name, object, times) => {
  expect(await taken(object)).toHaveLength(times);
});
