import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { expect, it } from 'vitest';
import { type MoveFacts, stayRules, whyStay } from './why-stay.ts';

const gib = 1024n ** 3n;
const volume: CnsVolume = {
  id: 'id-1',
  name: 'pvc-1',
  type: 'BLOCK',
  datastoreUrl: 'ds:///old/',
  capacityMb: 10_240n,
  healthStatus: 'green',
  storagePolicyId: undefined,
  containerClusterIds: ['a'],
};
const target = {
  ref: { type: 'Datastore', value: 'datastore-2' },
  name: 'new',
  url: 'ds:///new/',
  type: 'VMFS',
  accessible: true,
  maintenance: false,
  capacityBytes: 100n * gib,
  freeBytes: 20n * gib,
};
const facts: MoveFacts = {
  volume,
  clusterId: 'a',
  target,
  reservedBytes: 0n,
  snapshots: 0,
  consumers: [],
  holders: [],
  attachedTo: [],
  unreachedBy: [],
  policyProblem: undefined,
  missingPrivileges: [],
  lack: undefined,
};
const byPath = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'old' },
  spec: { csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: '[old] kubevols/a.vmdk' } },
} as const;

const cases: readonly (readonly [(typeof stayRules)[number], Partial<MoveFacts>])[] = [
  ['not-found', { volume: undefined }],
  ['other-cluster', { volume: { ...volume, containerClusterIds: ['a', 'b'] } }],
  ['other-cluster', { volume: { ...volume, containerClusterIds: [] } }],
  ['file-volume', { volume: { ...volume, type: 'FILE' } }],
  ['in-tree', { holders: [byPath] }],
  ['no-such-datastore', { target: undefined }],
  ['already-there', { target: { ...target, url: volume.datastoreUrl } }],
  ['vcenter-too-old', { lack: 'moves need vCenter 8.0; this is 7.0' }],
  ['has-snapshots', { snapshots: 1 }],
  ['attached', { consumers: ['vm-1'] }],
  ['attached', { attachedTo: ['node-1'], consumers: undefined }],
  ['disk-unknown', { consumers: undefined }],
  ['target-unavailable', { target: { ...target, suspended: true } }],
  ['not-reachable', { unreachedBy: ['node-1'] }],
  ['policy', { policyProblem: 'no tag' }],
  ['privilege', { missingPrivileges: ['Datastore.AllocateSpace on new'] }],
  ['no-space', { reservedBytes: 11n * gib }],
];

it('a volume that nothing uses, with a datastore that can take it, is moved', () => {
  expect(whyStay(facts)).toBeUndefined();
});

it.each(cases)('%s keeps a volume where it is (%#)', (rule, change) => {
  expect(whyStay({ ...facts, ...change })?.rule).toBe(rule);
});

it('every rule has a case', () => {
  expect(new Set(cases.map(([rule]) => rule))).toEqual(new Set(stayRules));
});
