import { createSystemClock } from '@vdo/base/clock';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps, events, type Node, nodes, pods, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiNodes } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';
import { expect } from 'vitest';
import { releasedProgram } from '../harness/parts.ts';
import type { LoggedProcess } from '../harness/process.ts';
import { startVcsim } from '../harness/vcsim.ts';
import { waitFor } from '../harness/wait-for.ts';
import { createPretender } from './lifecycle-pretender.ts';
import { createMatrixPublisher } from './matrix-publisher.ts';
import { operatorNamespace as namespace, startOperatorTestbed } from './operator-testbed.ts';

const fieldManager = 'test';
const nodeName = 'node-1';
const controller = { namespace, name: 'vsphere-csi-controller' };
const ourLabels = { 'app.kubernetes.io/managed-by': 'vdo' };
/** Bears our label and is not ours. */
export const foreignKey = { namespace, name: 'of-somebody-else' };

/** Published with the layouts of this repository; all others have the first. */
export const newerRelease = '2.0.0';

/**
 * A real control plane with one node, a vCenter of govmomi, and operators as processes. The drivers are pretended: what a journey is
 * about is what the operator makes of a cluster that changes under it.
 */
export const startJourneyTestbed = async () => {
  const clock = createSystemClock();
  const around = (): ContainerRunner => createPretender((key) => testbed.kube.get(pods, key), clock);
  const [testbed, vcsim] = await Promise.all([
    startOperatorTestbed({ around }),
    startVcsim({ vms: 1, hosts: 2, datastores: 2 }),
  ]);
  const { kube } = testbed;
  let operator: LoggedProcess | undefined;

  const apply = async (object: AnyObject): Promise<void> => {
    const resource = await kube.resourceFor(object.apiVersion, object.kind);
    await kube.apply(resource, object, { fieldManager, force: true });
  };
  const drivers = (): Promise<VSphereDrivers | undefined> => kube.find(vsphereDrivers, { name: 'cluster' });
  const tale = async (): Promise<string> => {
    const reported = (await kube.list(events)).items.map(
      ({ involvedObject: { kind, name }, reason, message }) => `${kind} ${name}: ${reason}: ${message}`,
    );
    return [...reported, JSON.stringify((await drivers())?.status, undefined, 1)].join('\n');
  };
  const until = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<NonNullable<T>> =>
    waitFor(ask, { what, timeoutMs: 120_000, everyMs: 200, processes: operator ? [operator] : [] }).catch(
      async (error: Error) => {
        throw new Error(`${error.message}\n${await tale()}`, { cause: error });
      },
    ) as Promise<NonNullable<T>>;

  const joinNode = async (): Promise<void> => {
    const [vm] = JSON.parse(await vcsim.govc('vm.info', '-json', 'DC0_C0_RP0_VM0')).virtualMachines;
    const uuid: string = vm.config.uuid;
    const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': nodeName };
    await apply({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: nodeName, labels: { ...labels, 'node-role.kubernetes.io/control-plane': '' } },
      spec: { providerID: `vsphere://${uuid}` },
    });
    const status: Node['status'] = {
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is ready' }],
      addresses: [{ type: 'InternalIP', address: '10.20.30.40' }],
      nodeInfo: { systemUUID: uuid, kubeletVersion: await kube.serverVersion(), operatingSystem: 'linux' },
    };
    await kube.patch(nodes, { name: nodeName }, { type: 'merge', body: { status } }, { subresource: 'status' });
    // Admission taints a new node; nobody here would take that off.
    await kube.patch(nodes, { name: nodeName }, { type: 'merge', body: { spec: { taints: null } } });
    await kube.create(csiNodes, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: nodeName },
      spec: { drivers: [{ name: 'csi.vsphere.vmware.com', nodeID: uuid, topologyKeys: [] }] },
    });
  };
  /** Both drivers run in this release on every pod, and the status says so of the newest spec. */
  const runs = (version: string) =>
    until(`both drivers at ${version}`, async () => {
      const found = await drivers();
      const shown = (found?.status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
      const ready = found?.status?.conditions?.find(({ type }) => type === 'Ready');
      return (
        ready?.status === 'True' &&
        ready.observedGeneration === found?.metadata.generation &&
        shown.length === 2 &&
        shown.every((driver) => driver.version === version && !driver.target)
      );
    });
  /** What runs, read from the workloads themselves. */
  const images = async (): Promise<readonly string[]> => {
    const workloads = [
      ...(await kube.list(deployments, { namespace })).items,
      ...(await kube.list(daemonSets, { namespace })).items,
    ];
    return [...new Set(workloads.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)))];
  };
  const matrix = createMatrixPublisher(apply, (version) => version !== newerRelease);
  await joinNode();
  await apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'vcenter', namespace },
    stringData: { username: vcsim.username, password: vcsim.password },
  });
  await kube.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...foreignKey, labels: ourLabels },
  });

  return {
    kube,
    controlPlane: testbed.controlPlane,
    drivers,
    until,
    apply,
    publish: (serial: number, ...versions: readonly string[]) =>
      matrix.publish(serial, { cpi: versions, csi: versions }),
    /** Asks for both drivers. */
    describe: (updates: object = {}) => {
      const { host: server, port, thumbprintSha256 } = vcsim;
      const tls = { thumbprints: [thumbprintSha256] };
      const vcenters = [{ server, port, credentialsSecret: 'vcenter', tls, datacenters: ['DC0'] }];
      return apply({
        apiVersion: 'vdo.vmware.com/v1beta1',
        kind: 'VSphereDrivers',
        metadata: { name: 'cluster' },
        spec: { distribution: 'Native', vcenters, cpi: {}, csi: {}, updates: { ...matrix.updates, ...updates } },
      });
    },
    /** Replaces the operator that runs, if one does. */
    run: async (release: 'of this repository' | 'v0.1.0') => {
      await operator?.stop();
      const program = release === 'v0.1.0' ? releasedProgram('vdo-v0.1.0', 'operator') : undefined;
      operator = await testbed.startOperator(program);
    },
    images,
    /** The status tells what runs, nothing of others went, and what the drivers read is whole. */
    isAt: async (version: string): Promise<void> => {
      await runs(version);
      expect(await images()).toEqual([expect.stringMatching(new RegExp(`vdo/vdo:${version}$`))]);
      expect(await kube.find(configMaps, foreignKey)).toBeDefined();
      const { data: config } = await kube.get(configMaps, { namespace, name: 'vsphere-config' });
      expect(config?.['vsphere.conf']).toContain(vcsim.host);
      const { data: credentials = {} } = await kube.get(secrets, { namespace, name: 'vsphere-credentials' });
      expect(Object.keys(credentials)).toHaveLength(2);
      expect(Object.values(credentials)).not.toContain('');
    },
    /** What somebody deletes comes back. */
    isRepaired: async (): Promise<void> => {
      const { metadata } = await kube.get(deployments, controller);
      await kube.delete(deployments, controller);
      await until('the controller to be back', async () => {
        const found = await kube.find(deployments, controller);
        return found && found.metadata.uid !== metadata.uid;
      });
    },
    reported: async () =>
      (await kube.list(events)).items
        .filter(({ involvedObject }) => involvedObject.kind === 'VSphereDrivers')
        .map(({ reason = '', message = '' }) => `${reason}: ${message}`),
    stop: async (): Promise<void> => {
      await testbed.stop();
      await vcsim.stop();
    },
  };
};

export type JourneyTestbed = Awaited<ReturnType<typeof startJourneyTestbed>>;
