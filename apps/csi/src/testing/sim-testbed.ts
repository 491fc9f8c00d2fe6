import type { ActLog } from '@vdo/acts/act-log';
import type { VirtualClock } from '@vdo/base/virtual-clock';
import type { DriverConfig } from '@vdo/config/driver-config';
import { names } from '@vdo/config/names';
import {
  type Event,
  events,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
} from '@vdo/kube/types/core';
import {
  type CsiNode,
  csiNodes,
  type StorageClass,
  storageClasses,
  type VolumeAttachment,
  volumeAttachments,
} from '@vdo/kube/types/storage';
import { createSimWorld, demoServer, type ProgramParts, type SimWorldOptions } from '@vdo/sim-world/create-sim-world';
import { seedCrds, seedNamespaces, seedNodes } from '@vdo/sim-world/seed';
import type { UntilOptions } from '@vdo/sim-world/until';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { driverName } from '../driver.ts';
import { volumeIntents } from '../intents/kube-intent-store.ts';
import type { FinishedSpan } from '../volumes/trace-operations.ts';
import { controllerProgram } from './controller-program.ts';

const { namespace, upstreamCsiNamespace: leaseNamespace } = names;

export interface SimTestbedOptions
  extends Pick<SimWorldOptions, 'wire' | 'clockOf' | 'seed' | 'vcenters' | 'snapshot' | 'logger'> {
  /** Of another testbed, beside which this one stands. */
  readonly clock?: VirtualClock;
  readonly model?: VSphereModel;
  readonly csi?: Partial<DriverConfig['csi']>;
  /** Where replicas serve CSI. Default: nowhere. */
  readonly csiEndpoint?: string;
  /** Stands between replicas and their client of vCenter. Default: nothing does. */
  readonly through?: (vcenter: FullVCenter) => FullVCenter;
  /** Where replicas record what they destroy. Default: each for itself. */
  readonly actLog?: ActLog;
  /** Where replicas send finished spans. Default: nowhere. */
  readonly onSpan?: (span: FinishedSpan) => void;
}

/** A simulated world with one vCenter and replicas of the controller role. */
export const createSimTestbed = ({
  model = demoModel(),
  csi,
  csiEndpoint,
  through,
  actLog,
  onSpan,
  ...options
}: SimTestbedOptions = {}) => {
  const world = createSimWorld({ ...options, models: { [demoServer]: model } });
  const { client, until } = world;
  /** Starts a replica of the controller. */
  const start = (identity = 'replica-1', clusterId = 'cluster-a') => {
    const endpoint = csiEndpoint === undefined ? {} : { csiEndpoint };
    const log = actLog ? { actLog } : {};
    const build = controllerProgram({ clusterId, ...(csi ? { csi } : {}), ...endpoint, ...log, onSpan });
    const connecting = ({ connect, ...parts }: ProgramParts): ProgramParts => ({
      ...parts,
      connect: (asked) => (through ?? ((vcenter) => vcenter))(connect(asked)),
    });
    const program = world.start(identity, (parts) => build(connecting(parts)));
    return { ...program, controller: program.built.controller };
  };

  const setUp = async (): Promise<void> => {
    await seedNamespaces(client, namespace, leaseNamespace, 'default');
    await seedCrds(client, 'vdo.vmware.com_volumeintents.yaml');
    await seedNodes(client, 1, 2, 3, 4, 5);
    await storageClass('vsphere');
  };

  const storageClass = (name: string, overrides: Partial<StorageClass> = {}) =>
    client.create<StorageClass>(storageClasses, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name },
      provisioner: 'csi.vsphere.vmware.com',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      ...overrides,
    });

  return {
    ...world,
    sim: world.vc(),
    setUp,
    start,
    storageClass,
    claim: (name: string, storageClassName = 'vsphere', spec: Partial<PersistentVolumeClaim['spec']> = {}) =>
      client.create<PersistentVolumeClaim>(persistentVolumeClaims, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace: 'default' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName,
          resources: { requests: { storage: '1Gi' } },
          ...spec,
        },
      }),
    getClaim: (name: string) => client.find(persistentVolumeClaims, { namespace: 'default', name }),
    bound: (name: string, options: UntilOptions = {}) =>
      until(
        `claim ${name} is bound`,
        async () => {
          const claim = await client.find(persistentVolumeClaims, { namespace: 'default', name });
          return claim?.status?.phase === 'Bound' ? claim : undefined;
        },
        options,
      ),
    /** What the kubelet writes when the node role has registered. */
    registerNode: (index: number) =>
      client.create<CsiNode>(csiNodes, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: `node-${index}` },
        spec: { drivers: [{ name: driverName, nodeID: demoUuid(index) }] },
      }),
    /** What the attach-detach controller writes when a pod with the volume is scheduled. */
    attachment: (name: string, persistentVolumeName: string, node: number) =>
      client.create<VolumeAttachment>(volumeAttachments, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name },
        spec: { attacher: driverName, nodeName: `node-${node}`, source: { persistentVolumeName } },
      }),
    getAttachment: (name: string) => client.find(volumeAttachments, { name }),
    deleteClaim: (name: string) => client.delete(persistentVolumeClaims, { namespace: 'default', name }),
    persistentVolumes: async () => (await client.list(persistentVolumes)).items,
    intents: async () => (await client.list(volumeIntents)).items,
    eventsOf: async (name: string): Promise<readonly Event[]> =>
      (await client.list(events)).items.filter(({ involvedObject }) => involvedObject.name === name),
  };
};
