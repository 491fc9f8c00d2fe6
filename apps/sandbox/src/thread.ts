import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { type Node, nodes, persistentVolumeClaims, persistentVolumes, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { storageClasses } from '@vdo/kube/types/storage';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { joinNodes } from './join-nodes.ts';
import type { Reporter } from './reporter.ts';
import type { SimHouse } from './sim-house.ts';
import { waitUntil } from './wait-until.ts';

export interface ThreadOptions {
  readonly house: Pick<SimHouse, 'kube' | 'vcenter' | 'vsphere' | 'logFolder'>;
  readonly manifests: { readonly definitions: readonly AnyObject[]; readonly operator: readonly AnyObject[] };
  readonly model: VSphereModel;
  readonly account: { readonly username: string; readonly password: string };
  readonly namespace: string;
  readonly nodeCount: number;
  readonly stepTimeoutMs: number;
  readonly clock: Clock;
  readonly report: Reporter;
}

const fieldManager = 'vdo-sandbox';
const resourceName = 'cluster';
const claim = { name: 'demo', namespace: 'default' };

export const readDrivers = (kube: KubeClient): Promise<VSphereDrivers | undefined> =>
  kube.find(vsphereDrivers, { name: resourceName });

/** One node, one volume, through the whole house: each step waits for what a user would look at. */
export const createThread = (options: ThreadOptions) => {
  const { house, manifests, namespace, report, clock } = options;
  const { kube, vcenter } = house;
  const logs = 'The last lines of each program are above; --timeout gives a slow machine more time.';
  const until = <T>(what: string, ask: () => Promise<T | undefined | false>, signal: AbortSignal): Promise<T> =>
    waitUntil(ask, { what, remedy: logs, timeoutMs: options.stepTimeoutMs, clock, signal });
  const apply = async (object: AnyObject, signal: AbortSignal): Promise<void> => {
    const resource = await kube.resourceFor(object.apiVersion, object.kind, { signal });
    await kube.apply(resource, object, { fieldManager, force: true, signal });
  };

  const installOperator = async (signal: AbortSignal): Promise<void> => {
    report.step('Installing the operator: definitions, rights, Deployment');
    for (const object of [...manifests.definitions, ...manifests.operator]) await apply(object, signal);
    report.done(`${manifests.definitions.length + manifests.operator.length} objects`);
  };

  const registerNodes = async (signal: AbortSignal): Promise<void> => {
    report.step('Joining nodes that wait for a cloud provider');
    const names = await joinNodes(kube, options.model, { count: options.nodeCount, signal });
    report.done(`${names.join(', ')} with the taint node.cloudprovider.kubernetes.io/uninitialized`);
  };

  const describe = async (signal: AbortSignal): Promise<void> => {
    report.step('Describing what is wanted: a Secret and one VSphereDrivers resource');
    const stringData = { username: options.account.username, password: options.account.password };
    await kube.apply(
      secrets,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'vcenter', namespace }, stringData },
      { fieldManager, signal },
    );
    const spec = {
      distribution: 'Native',
      vcenters: [
        {
          server: vcenter.host,
          port: vcenter.port,
          credentialsSecret: 'vcenter',
          tls: { thumbprints: [vcenter.thumbprints.sha256] },
        },
      ],
      topology: { region: 'k8s-region', zone: 'k8s-zone' },
      cpi: {},
      csi: {},
    };
    await apply(
      { apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name: resourceName }, spec },
      signal,
    );
    report.done('applied');
  };

  const reachReady = async (signal: AbortSignal): Promise<void> => {
    report.step('The operator connects, picks releases and installs both drivers');
    let told = '';
    await until(
      'VSphereDrivers to become Ready',
      async () => {
        const conditions = (await readDrivers(kube))?.status?.conditions ?? [];
        const ready = conditions.find(({ type }) => type === 'Ready');
        const text = ready ? `${ready.reason}: ${ready.message}` : '';
        if (text !== told && text !== '') report.note(text);
        told = text;
        return ready?.status === 'True';
      },
      signal,
    );
    report.done('Ready');
  };

  const showNodes = async (signal: AbortSignal): Promise<void> => {
    report.step('The cloud controller manager has initialised the nodes');
    const { items } = await kube.list(nodes, { signal });
    for (const node of items) {
      if (!node.spec.providerID) throw unfinished(`node ${node.metadata.name} has no providerID`);
      report.done(describeNode(node));
    }
  };

  const bindVolume = async (signal: AbortSignal): Promise<void> => {
    report.step('The storage driver turns a claim into a volume');
    await kube.apply(
      storageClasses,
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'vsphere' },
        provisioner: 'csi.vsphere.vmware.com',
      },
      { fieldManager, signal },
    );
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'vsphere',
      resources: { requests: { storage: '1Gi' } },
    };
    await kube.apply(
      persistentVolumeClaims,
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claim, spec },
      { fieldManager, signal },
    );
    const volumeName = await until(
      'the claim default/demo to be Bound',
      async () => {
        const found = await kube.find(persistentVolumeClaims, claim);
        return found?.status?.phase === 'Bound' ? found.spec.volumeName : undefined;
      },
      signal,
    );
    const volume = await kube.get(persistentVolumes, { name: volumeName }, { signal });
    const handle = volume.spec.csi?.volumeHandle ?? '';
    const known = house.vsphere.volumes.get(handle);
    if (!known) throw unfinished(`vCenter does not know volume ${handle}`);
    report.done(`default/demo is Bound to ${volumeName}; vCenter holds the disk ${handle}`);
  };

  const removeAll = async (signal: AbortSignal): Promise<void> => {
    report.step('Deleting the claim and the resource');
    await kube.delete(persistentVolumeClaims, claim, { signal });
    await until(
      'the volume to be deleted',
      async () => (await kube.list(persistentVolumes)).items.length === 0 && house.vsphere.volumes.list().length === 0,
      signal,
    );
    report.done('the disk is gone from vCenter');
    await kube.delete(vsphereDrivers, { name: resourceName }, { signal });
    await until('the drivers to be removed', async () => (await readDrivers(kube)) === undefined, signal);
    report.done('the drivers are gone, the resource is gone');
  };

  return { up: [installOperator, registerNodes, describe, reachReady, showNodes, bindVolume], down: [removeAll] };
};

const unfinished = (message: string): VdoError =>
  new VdoError({ code: 'Internal', message, remedy: 'This is a defect of VDO: report it with the logs.' });

const describeNode = ({ metadata, spec, status }: Node): string => {
  const labels = metadata.labels ?? {};
  const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? 'no address';
  return `${metadata.name}: ${address}, ${labels['topology.kubernetes.io/region']}/${labels['topology.kubernetes.io/zone']}, ${spec.providerID}`;
};
