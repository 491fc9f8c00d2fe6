import {
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  serviceAccounts,
} from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { csiDrivers, volumeAttachments } from '@vdo/kube/types/storage';
import { attachmentName } from '@vdo/kube-sim/controllers/attach-detach';
import { uniqueVolumeName } from '@vdo/kube-sim/controllers/pod-volumes';
import { describe, expect, test } from 'vitest';
import { type Bench, eventually, uniqueName } from './kube-target.ts';

interface Eviction extends KubeObject {
  readonly deleteOptions?: { readonly gracePeriodSeconds?: number };
}
const evictions: Resource<Eviction> = { group: '', version: 'v1', plural: 'pods', kind: 'Eviction', namespaced: true };

const claimSpec: PersistentVolumeClaim['spec'] = {
  storageClassName: '',
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
};
const pod = (namespace: string, name: string, spec: Partial<Pod['spec']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace, name },
  spec: { containers: [{ name: 'main', image: 'none.test/app:1' }], ...spec },
});

/** Claims, volumes, attachments and evictions: what the storage driver and a kubelet have to do with. */
export const volumesSuite = (bench: () => Bench): void => {
  const createPod = async (object: Pod): Promise<Pod> => {
    const { client } = bench();
    const { namespace = '' } = object.metadata;
    await eventually(async () => (await client.find(serviceAccounts, { namespace, name: 'default' })) !== undefined);
    return client.create(pods, object);
  };

  /** A volume of a driver, bound to a claim, and a node whose kubelet leaves attaching to the controller. */
  const setUp = async () => {
    const { client, namespace } = bench();
    const ns = await namespace();
    const [driver, nodeName, volumeHandle] = [`${uniqueName('d')}.example.com`, uniqueName('node'), uniqueName('disk')];
    await client.create(csiDrivers, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: driver },
      spec: { attachRequired: true },
    });
    const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
    await client.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: nodeName, annotations },
      spec: {},
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    const volume: PersistentVolume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volumeHandle },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        csi: { driver, volumeHandle },
      },
    };
    await client.create(persistentVolumes, volume);
    const key = { namespace: ns, name: 'claim' };
    await client.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: key,
      spec: { ...claimSpec, volumeName: volumeHandle },
    });
    await eventually(async () => (await client.get(persistentVolumeClaims, key)).status?.phase === 'Bound');
    return { client, ns, driver, nodeName, volumeHandle };
  };

  describe('volumes', () => {
    test('are attached for a pod, and detached when the node no longer uses them', async () => {
      const { client, ns, driver, nodeName, volumeHandle } = await setUp();
      const inUse = uniqueVolumeName({ driver, volumeHandle });
      const report = (volumesInUse: readonly string[]) =>
        client.patch(
          nodes,
          { name: nodeName },
          { type: 'merge', body: { status: { volumesInUse } } },
          { subresource: 'status' },
        );
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'claim' } }];
      await createPod(pod(ns, 'user', { nodeName, volumes }));
      await report([inUse]);
      const key = { name: attachmentName({ driver, volumeHandle }, nodeName) };
      await eventually(async () => (await client.find(volumeAttachments, key)) !== undefined);
      expect((await client.get(volumeAttachments, key)).spec).toMatchObject({
        attacher: driver,
        nodeName,
        source: { persistentVolumeName: volumeHandle },
      });
      const body = { status: { attached: true, attachmentMetadata: { disk: 'a' } } };
      await client.patch(volumeAttachments, key, { type: 'merge', body }, { subresource: 'status' });
      const attached = async () => (await client.get(nodes, { name: nodeName })).status?.volumesAttached ?? [];
      await eventually(async () => (await attached()).some(({ name }) => name === inUse));

      await client.delete(pods, { namespace: ns, name: 'user' }, { gracePeriodSeconds: 0 });
      await eventually(async () => (await client.find(pods, { namespace: ns, name: 'user' })) === undefined);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect((await client.get(volumeAttachments, key)).metadata.deletionTimestamp).toBeUndefined();
      await report([]);
      await eventually(async () => (await client.find(volumeAttachments, key)) === undefined);
      await eventually(async () => (await attached()).length === 0);
    });

    test('of a pod alone get a claim that the pod owns', async () => {
      const { client, namespace } = bench();
      const ns = await namespace();
      const volumes = [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }];
      const { uid } = (await createPod(pod(ns, 'owner', { volumes }))).metadata;
      const key = { namespace: ns, name: 'owner-scratch' };
      await eventually(async () => (await client.find(persistentVolumeClaims, key)) !== undefined);
      const claim = await client.get(persistentVolumeClaims, key);
      expect(claim.metadata.ownerReferences).toMatchObject([{ kind: 'Pod', name: 'owner', uid, controller: true }]);
    });
  });

  test('a VolumeAttachment keeps on record whether it was ever attached', async () => {
    const { client } = bench();
    const name = uniqueName('attachment');
    const spec = { attacher: 'none.example.com', nodeName: name, source: { persistentVolumeName: name } };
    const metadata = { name, finalizers: ['example.com/held'] };
    const made = await client.create(volumeAttachments, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata,
      spec,
    });
    const write = (status: object) =>
      client.patch(volumeAttachments, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
    const attachError = { message: 'the reply was lost', time: '2026-01-01T00:00:00Z' };
    const failed = await write({ attached: false, attachError });
    const attached = await write({ attached: true, attachmentMetadata: { disk: 'a' }, attachError: null });
    const detached = await write({ attached: false, attachmentMetadata: null, detachError: null });
    await client.delete(volumeAttachments, { name });
    const leaving = await client.get(volumeAttachments, { name });
    const whoChanged = ({ metadata }: KubeObject) =>
      (metadata.managedFields ?? []).filter(({ fieldsV1 }) => 'f:attached' in Object(fieldsV1?.['f:status']));
    expect([made, failed].flatMap(whoChanged)).toEqual([]);
    expect([attached, detached, leaving].flatMap(whoChanged).map(({ subresource }) => subresource)).toEqual(
      Array(3).fill('status'),
    );
    await client.patch(volumeAttachments, { name }, { type: 'merge', body: { metadata: { finalizers: null } } });
  });

  test('an eviction deletes a pod', async () => {
    const { client, namespace } = bench();
    const ns = await namespace();
    await createPod(pod(ns, 'guest'));
    const metadata = { namespace: ns, name: 'guest' };
    await client.create(
      evictions,
      { apiVersion: 'policy/v1', kind: 'Eviction', metadata, deleteOptions: { gracePeriodSeconds: 0 } },
      { subresource: 'eviction' },
    );
    await eventually(async () => (await client.find(pods, metadata)) === undefined);
    const again = client.create(
      evictions,
      { apiVersion: 'policy/v1', kind: 'Eviction', metadata },
      { subresource: 'eviction' },
    );
    await expect(again).rejects.toMatchObject({ code: 'KubeNotFound' });
  });
};
