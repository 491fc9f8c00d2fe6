import type { Node, PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import type { CsiNode, StorageClass, VolumeAttachment } from '@vdo/kube/types/storage';
import { describe, expect, it } from 'vitest';
import {
  annotations,
  decideClaim,
  decideTopology,
  provisionerFinalizer,
  toNewVolume,
  toPersistentVolume,
} from './claims.ts';
import { decideVolume } from './decide-volume.ts';

const driver = 'csi.vsphere.vmware.com';
const uid = '3c8c5e39-0d4d-4a6a-8f2d-1c9a6a4b9f01';

const storageClass = (overrides: Partial<StorageClass> = {}): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: driver,
  ...overrides,
});
const claim = (
  spec: Partial<PersistentVolumeClaim['spec']> = {},
  metadata: PersistentVolumeClaim['metadata'] = {},
): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'data',
    namespace: 'shop',
    uid,
    annotations: { [annotations.storageProvisioner]: driver },
    ...metadata,
  },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    resources: { requests: { storage: '5Gi' } },
    ...spec,
  },
});

describe('a claim', () => {
  const decide = (one: PersistentVolumeClaim, classes = [storageClass()], volumeExists = false) =>
    decideClaim({
      claim: one,
      findClass: (name) => classes.find(({ metadata }) => metadata.name === name),
      volumeExists,
    });
  const late = storageClass({ volumeBindingMode: 'WaitForFirstConsumer' });

  it.each([
    ['is ours by the annotation', claim()],
    ['is ours by the beta annotation', claim({}, { annotations: { [annotations.betaStorageProvisioner]: driver } })],
  ])('that %s is provisioned', (_name, one) => {
    expect(decide(one).action).toBe('provision');
  });

  it.each([
    ['has a volume', claim({ volumeName: 'pvc-x' }), undefined, false],
    ['is being deleted', claim({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), undefined, false],
    [
      'is for another driver',
      claim({}, { annotations: { [annotations.storageProvisioner]: 'other' } }),
      undefined,
      false,
    ],
    ['is for nobody yet', claim({}, { annotations: {} }), undefined, false],
    ['has its PersistentVolume already', claim(), undefined, true],
    ['waits for its first consumer', claim(), [late], false],
    ['has a class of another driver', claim(), [storageClass({ provisioner: 'other' })], false],
  ])('that %s is left alone', (_name, one, classes, exists) => {
    expect(decide(one, classes, exists).action).toBe('ignore');
  });

  it('that waited is provisioned when the scheduler has selected a node', () => {
    const one = claim(
      {},
      {
        annotations: { [annotations.storageProvisioner]: driver, [annotations.selectedNode]: 'node-1' },
      },
    );
    expect(decide(one, [late])).toMatchObject({ action: 'provision', selectedNode: 'node-1' });
  });

  it('without its class waits for the class, and says so', () => {
    expect(() => decide(claim(), [])).toThrow(expect.objectContaining({ code: 'KubeNotFound', retry: 'on-change' }));
  });
});

describe('the request for a volume', () => {
  it('asks as the upstream provisioner would', () => {
    const request = toNewVolume({
      claim: claim({ resources: { requests: { storage: '5Gi' }, limits: { storage: '6Gi' } } }),
      storageClass: storageClass({
        parameters: { datastoreurl: 'ds:///x/', 'csi.storage.k8s.io/fstype': 'xfs' },
        mountOptions: ['noatime'],
      }),
    });
    expect(request).toEqual({
      name: `pvc-${uid}`,
      size: { requiredBytes: 5n << 30n, limitBytes: 6n << 30n },
      uses: [{ kind: 'mount', fsType: 'xfs', mode: 'SINGLE_NODE_MULTI_WRITER' }],
      parameters: {
        datastoreurl: 'ds:///x/',
        'csi.storage.k8s.io/pvc/name': 'data',
        'csi.storage.k8s.io/pvc/namespace': 'shop',
        'csi.storage.k8s.io/pv/name': `pvc-${uid}`,
      },
      topologies: [],
    });
  });

  it.each([
    ['ReadWriteOnce', 'SINGLE_NODE_MULTI_WRITER'],
    ['ReadWriteOncePod', 'SINGLE_NODE_SINGLE_WRITER'],
    ['ReadWriteMany', 'MULTI_NODE_MULTI_WRITER'],
    ['ReadOnlyMany', 'MULTI_NODE_READER_ONLY'],
  ])('translates %s', (accessMode, mode) => {
    const request = toNewVolume({ claim: claim({ accessModes: [accessMode] }), storageClass: storageClass() });
    expect(request.uses).toMatchObject([{ kind: 'mount', mode }]);
  });

  it('asks for a raw device without file system', () => {
    const request = toNewVolume({ claim: claim({ volumeMode: 'Block' }), storageClass: storageClass() });
    expect(request.uses).toMatchObject([{ kind: 'block', fsType: '' }]);
  });

  it.each([
    ['a selector', { selector: { matchLabels: {} } }, 'InvalidArgument'],
    ['a size that is none', { resources: { requests: { storage: 'big' } } }, 'InvalidArgument'],
    ['no access mode', { accessModes: [] }, 'InvalidArgument'],
  ])('is refused for a claim with %s', (_name, spec, code) => {
    expect(() => toNewVolume({ claim: claim(spec), storageClass: storageClass() })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('the PersistentVolume', () => {
  const volume = { id: 'id-1', sizeBytes: 5n << 30n, context: { type: 'block' } };
  const build = (overrides: Partial<Parameters<typeof toPersistentVolume>[0]> = {}) =>
    toPersistentVolume({ claim: claim(), storageClass: storageClass(), volume, identity: 'me', ...overrides });

  it('is what the upstream provisioner writes', () => {
    expect(build()).toEqual({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name: `pvc-${uid}`,
        annotations: { 'pv.kubernetes.io/provisioned-by': driver },
        finalizers: ['external-provisioner.volume.kubernetes.io/finalizer'],
      },
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data', uid },
        csi: {
          driver,
          volumeHandle: 'id-1',
          fsType: 'ext4',
          volumeAttributes: { type: 'block', 'storage.kubernetes.io/csiProvisionerIdentity': 'me' },
        },
      },
    });
  });

  it('of policy Retain has no finalizer', () => {
    const object = build({ storageClass: storageClass({ reclaimPolicy: 'Retain', mountOptions: ['noatime'] }) });
    expect(object.metadata.finalizers).toBeUndefined();
    expect(object.spec).toMatchObject({ persistentVolumeReclaimPolicy: 'Retain', mountOptions: ['noatime'] });
  });

  it('of a raw device has no file system', () => {
    const object = build({ claim: claim({ volumeMode: 'Block' }) });
    expect(object.spec.volumeMode).toBe('Block');
    expect(object.spec.csi?.fsType).toBeUndefined();
  });

  it('keeps pods in the place of the volume', () => {
    const object = build({ volume: { ...volume, topology: { zone: 'a', rack: '1' } } });
    expect(object.spec.nodeAffinity?.required?.nodeSelectorTerms).toEqual([
      {
        matchExpressions: [
          { key: 'zone', operator: 'In', values: ['a'] },
          { key: 'rack', operator: 'In', values: ['1'] },
        ],
      },
    ]);
  });
});

describe('an existing PersistentVolume', () => {
  const pv = (
    phase: string,
    options: { policy?: 'Delete' | 'Retain'; finalizers?: string[]; deleting?: boolean; by?: string } = {},
  ): PersistentVolume => {
    const { policy = 'Delete', finalizers = [provisionerFinalizer], deleting = false, by = driver } = options;
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name: 'pv',
        annotations: { [annotations.provisionedBy]: by },
        finalizers,
        ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      },
      spec: { persistentVolumeReclaimPolicy: policy, csi: { driver, volumeHandle: 'id-1' } },
      status: { phase },
    };
  };
  const protection = 'kubernetes.io/pv-protection';

  it.each([
    ['bound', pv('Bound'), { action: 'ignore' }],
    ['released, policy Delete', pv('Released'), { action: 'delete', volumeId: 'id-1' }],
    ['released and being deleted by hand', pv('Released', { deleting: true }), { action: 'delete', volumeId: 'id-1' }],
    ['released, its disk already deleted', pv('Released', { deleting: true, finalizers: [] }), { action: 'ignore' }],
    ['released, policy Retain', pv('Released', { policy: 'Retain', finalizers: [] }), { action: 'ignore' }],
    ['bound and deleted by hand', pv('Bound', { deleting: true }), { action: 'ignore' }],
    ['of another provisioner', pv('Released', { by: 'other' }), { action: 'ignore' }],
    ['bound without the finalizer', pv('Bound', { finalizers: [protection] }), { action: 'guard' }],
    [
      'whose policy became Retain',
      pv('Bound', { policy: 'Retain', finalizers: [protection, provisionerFinalizer] }),
      { action: 'release' },
    ],
  ])('%s', (_name, object, expected) => {
    expect(decideVolume(object, [], 0)).toEqual(expected);
  });

  it('that is released but attached is not deleted', () => {
    const attachment: VolumeAttachment = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'a' },
      spec: { attacher: driver, nodeName: 'node-7', source: { persistentVolumeName: 'pv' } },
    };
    const releasedMs = Date.UTC(2026, 0, 1);
    const released = pv('Released');
    const status = { ...released.status, lastPhaseTransitionTime: new Date(releasedMs).toISOString() };
    const later = (ms: number) => decideVolume({ ...released, status }, [attachment], releasedMs + ms);
    expect(later(20_000)).toEqual({ action: 'wait', ms: 40_000 });
    expect(() => later(60_000)).toThrow(/node-7/);
    // An older API server does not tell since when.
    expect(() => decideVolume(released, [attachment], releasedMs)).toThrow(/node-7/);
  });
});

describe('the place of a volume', () => {
  const zone = 'topology.csi.vmware.com/k8s-zone';
  const node = (name: string, value: string): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [zone]: value } },
    spec: {},
  });
  const csiNode = (name: string, keys = [zone]): CsiNode => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name },
    spec: { drivers: [{ name: driver, nodeID: name, topologyKeys: keys }] },
  });
  const nodes = [node('n1', 'a'), node('n2', 'b'), node('n3', 'b')];
  const csiNodes = [csiNode('n1'), csiNode('n2'), csiNode('n3')];
  const input = { claimName: 'data', storageClass: storageClass(), nodes, csiNodes };

  it('is the place of the selected node alone', () => {
    expect(decideTopology({ ...input, selectedNode: 'n2' })).toEqual([{ [zone]: 'b' }]);
  });

  it('is any place with nodes, each once', () => {
    expect(new Set(decideTopology(input).map((place) => place[zone]))).toEqual(new Set(['a', 'b']));
    expect(decideTopology(input)).toHaveLength(2);
  });

  it('is everywhere while no node has registered', () => {
    expect(decideTopology({ ...input, csiNodes: [] })).toEqual([]);
    const unregistered = { ...csiNode('n1'), spec: { drivers: null } };
    expect(decideTopology({ ...input, csiNodes: [unregistered] })).toEqual([]);
  });

  it('differs between neighbours of a StatefulSet', () => {
    const first = ['data-web-0', 'data-web-1'].map((claimName) => decideTopology({ ...input, claimName })[0]?.[zone]);
    expect(new Set(first).size).toBe(2);
  });

  it('is what the class allows, all combinations', () => {
    const allowedTopologies = [
      {
        matchLabelExpressions: [
          { key: zone, values: ['a', 'b'] },
          { key: 'rack', values: ['1'] },
        ],
      },
    ];
    const places = decideTopology({ ...input, storageClass: storageClass({ allowedTopologies }) });
    expect(places).toHaveLength(2);
    expect(places).toEqual(
      expect.arrayContaining([
        { [zone]: 'a', rack: '1' },
        { [zone]: 'b', rack: '1' },
      ]),
    );
  });

  it.each([
    ['the selected node has not registered', { selectedNode: 'n1', csiNodes: [] }],
    [
      'the selected node is outside of what the class allows',
      {
        selectedNode: 'n1',
        storageClass: storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ['b'] }] }] }),
      },
    ],
  ])('is not known while %s', (_name, change) => {
    expect(() => decideTopology({ ...input, ...change })).toThrow(
      expect.objectContaining({ code: 'VolumeNoDatastore' }),
    );
  });
});
