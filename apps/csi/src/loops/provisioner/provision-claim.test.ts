import type { ErrorCode } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import { expect, it } from 'vitest';
import { createClaimProvisioner, type ProvisionClaimDeps } from './provision-claim.ts';

const driver = 'csi.vsphere.vmware.com';
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'data',
    namespace: 'default',
    uid: '1',
    annotations: { 'volume.kubernetes.io/storage-provisioner': driver },
  },
  spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const storageClass = { apiVersion: 'v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: driver };

/** What the claim is told when its volume cannot be made for this reason. */
const reportedOf = async (code: ErrorCode): Promise<readonly string[]> => {
  const reported: string[] = [];
  const provision = createClaimProvisioner({
    kube: { find: async () => undefined },
    informers: {
      claims: { get: () => claim },
      classes: { get: () => storageClass },
      volumes: { get: () => undefined },
    },
    volumes: {
      createVolume: async () => {
        throw new VdoError({ code, message: 'it did not work', remedy: 'none' });
      },
    },
    events: { record: (_object: unknown, { reason }: { readonly reason: string }) => reported.push(reason) },
    topology: false,
    identity: 'a',
  } as unknown as ProvisionClaimDeps);
  const context = { signal: new AbortController().signal } as Parameters<typeof provision>[1];
  await expect(provision('default/data', context)).rejects.toMatchObject({ code });
  return reported;
};

it('tells a claim why it has no volume, but not that two writers met', async () => {
  expect(await reportedOf('VolumeNoDatastore')).toEqual(['ProvisioningFailed']);
  expect(await reportedOf('KubeConflict')).toEqual([]);
});
