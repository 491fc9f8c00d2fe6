import { type VCenterSpec, vcenterSpec } from '@vdo/config/api/vcenter-spec';
import { type VSphereDriversSpec, vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Node } from '@vdo/kube/types/core';
import type { NodeResolution } from '@vdo/vsphere/inventory/node-inventory';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts, NodeFacts } from '../facts.ts';

export const nowMs = Date.parse('2026-08-20T12:00:00Z');
const uuid = '42041f2e-7d3c-4a5b-8c6d-112233445566';

export const spec = (overrides: Partial<Parameters<typeof vcenterSpec.parse>[0] & object> = {}): VCenterSpec =>
  vcenterSpec.parse({ server: 'vc.example.com', credentialsSecret: 'vcenter', ...overrides });

export const driversSpec = (overrides: object = {}): VSphereDriversSpec =>
  vsphereDriversSpec.parse({
    distribution: 'Native',
    vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }],
    cpi: {},
    csi: {},
    ...overrides,
  });

/** A vCenter with which everything is right. */
export const vcenter = (overrides: Partial<VCenterFacts> = {}): VCenterFacts => ({
  server: 'vc.example.com',
  spec: spec(),
  about: {
    version: '8.0.3',
    build: '24022515',
    apiVersion: '8.0.3.0',
    instanceUuid: 'b8f3f6a0-0000-4000-8000-000000000001',
    fullName: 'vCenter Server 8.0.3',
    apiType: 'VirtualCenter',
  },
  support: { min: '6.7.3', max: '9.0', verdict: 'inside' },
  login: true,
  lockout: { recentRejections: 0 },
  secret: {
    namespace: 'vmware-system-vdo',
    exists: true,
    lookup: {
      account: { username: 'k8s@vsphere.local', password: 'obviously-fake' },
      missingKeys: [],
      trailingNewlineKeys: [],
    },
  },
  ...overrides,
});

export const found = (vmUuid = uuid): NodeResolution => ({
  state: 'found',
  vm: {
    server: 'vc.example.com',
    ref: { type: 'VirtualMachine', value: 'vm-1' },
    name: 'node-1',
    uuid: vmUuid,
    instanceUuid: '',
    powerState: 'poweredOn',
    toolsRunning: true,
    hostName: 'node-1',
    nics: [],
    numCpu: 2,
    memoryMb: 4096,
    guestId: 'otherGuest64',
    host: undefined,
    folder: undefined,
    resourcePool: undefined,
    extraConfig: {},
  },
});

export interface NodeOptions {
  readonly providerID?: string;
  readonly tainted?: boolean;
  /** Default 60. */
  readonly ageMinutes?: number;
  /** Default: found. `null`: could not be asked. */
  readonly resolution?: NodeResolution | null;
}

/** A node that is initialized and whose VM is known. */
export const node = (options: NodeOptions = {}): NodeFacts => {
  const { providerID = `vsphere://${uuid}`, tainted = false, ageMinutes = 60, resolution = found() } = options;
  const object: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', creationTimestamp: new Date(nowMs - ageMinutes * 60_000).toISOString() },
    spec: {
      ...(providerID === '' ? {} : { providerID }),
      ...(tainted ? { taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' }] } : {}),
    },
    status: { nodeInfo: { systemUUID: uuid } },
  };
  return { node: object, ...(resolution === null ? {} : { resolution }) };
};

export const facts = (overrides: Partial<ClusterFacts> = {}): ClusterFacts => ({
  nowMs,
  spec: driversSpec(),
  namespace: 'vmware-system-vdo',
  kube: {},
  releases: { drivers: [] },
  vcenters: [vcenter()],
  nodes: [node()],
  ...overrides,
});
