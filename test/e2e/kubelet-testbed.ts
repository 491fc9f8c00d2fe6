import { join } from 'node:path';
import { names } from '@vdo/config/names';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiRuntime, smallRuntime } from '@vdo/releases/render/shared/node-runtime';
import { type LoggedProcess, spawnLogged } from '../harness/process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { repositoryFile } from './operator-testbed.ts';
import { nodeName, type RealNode, type RealNodeOptions, startRealNode } from './real-node.ts';
import { renderPrograms } from './rendered-programs.ts';

const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };
const csiBundle = repositoryFile('apps/csi/dist/main.js');
const cpiBundle = repositoryFile('apps/cpi/dist/main.js');

/** A real node with a pod network, and our drivers as programs, which a test can kill. Needs root. */
export interface KubeletTestbed extends RealNode {
  killCsiNode(): Promise<void>;
  startCsiNode(): Promise<void>;
}

export interface KubeletTestbedOptions extends RealNodeOptions {
  /** Images beside ours. */
  readonly archives?: readonly Uint8Array[];
}

const specOf = ({ vcenterPort, thumbprint, kubeletRoot }: RealNode) => ({
  vcenters: [
    { server: '127.0.0.1', port: vcenterPort, credentialsSecret: 'vcenter', tls: { thumbprints: [thumbprint] } },
  ],
  topology: { region: 'k8s-region', zone: 'k8s-zone' },
  csi: {
    clusterId: 'kubelet-testbed',
    snapshots: { install: true, classes: [{ name: 'snap' }] },
    storageClasses: [
      { name: 'ext4', mountOptions: ['noatime'] },
      { name: 'xfs', fsType: 'xfs' as const },
    ],
  },
  advanced: { kubeletPath: kubeletRoot },
});

const isDefinition = ({ kind }: AnyObject): boolean => kind === 'CustomResourceDefinition';

/** What the operator would apply, without the workloads. */
const applyObjects = async ({ plane, apply }: RealNode, objects: readonly AnyObject[]): Promise<void> => {
  await plane.kubectl(['apply', '--server-side', '-f', repositoryFile('deploy/crds')]);
  for (const object of objects.filter(isDefinition)) await apply(object);
  await plane.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  for (const object of objects.filter((one) => !isDefinition(one))) await apply(object);
};

export const startKubeletTestbed = async (options: KubeletTestbedOptions = {}): Promise<KubeletTestbed> => {
  const node = await startRealNode(options);
  try {
    const { folder, plane, containerd, machine, kubeletRoot: root } = node;
    for (const archive of options.archives ?? []) await containerd.load(archive);
    await containerd.plugNetwork();
    const programs = await renderPrograms({
      ...{ folder: folder.file('config'), account, kubernetesVersion: 'v1.34.4', spec: specOf(node) },
    });
    await applyObjects(node, programs.objects);

    const accountOf = (name: string) => plane.asServiceAccount(names.namespace, name);
    const cpiArgs = programs.args(names.cpi, {
      'cloud-config': programs.configPath,
      'bind-address': '127.0.0.1',
      'secure-port': '0',
      kubeconfig: await accountOf(names.cpi),
    });
    const cpi = [...smallRuntime.flags, cpiBundle, ...cpiArgs];
    const csiArgs = async (workload: string, flags: Readonly<Record<string, string>>) => [
      ...[...csiRuntime.flags, csiBundle],
      ...programs.args(workload, {
        ...{ 'bind-address': '127.0.0.1', 'health-port': '0' },
        kubeconfig: await accountOf(workload),
        ...flags,
      }),
    ];
    const startCsi = async (workload: string, flags: Readonly<Record<string, string>>): Promise<void> => {
      const args = await csiArgs(workload, flags);
      node.programs.push(spawnLogged(process.execPath, args, { name: workload, env: csiRuntime.env }));
    };
    await startCsi(names.csiController, {
      'csi-endpoint': `unix://${folder.file('controller.sock')}`,
      'vsphere-conf': programs.configPath,
      namespace: names.namespace,
    });
    await startCsi(names.snapshotController, {});
    const nodeArgs = await csiArgs(names.csiNode, {
      'node-name': nodeName,
      'csi-endpoint': `unix://${join(root, 'plugins', names.csiDriver, 'csi.sock')}`,
      'registration-dir': join(root, 'plugins_registry'),
      'sysfs-root': node.sysfsRoot,
      'dev-root': node.devRoot,
    });
    const startNode = (): LoggedProcess => {
      const started = machine.spawn(process.execPath, nodeArgs, { name: names.csiNode, env: csiRuntime.env });
      node.programs.push(started);
      return started;
    };
    let csiNode = startNode();
    // The worst order, and a common one on a new node: the kubelet refuses a driver that cannot tell its zone yet, and asks its socket no more.
    await waitFor(async () => csiNode.tail().includes('the kubelet refused to register the driver'), {
      ...{ what: 'the refusal of the kubelet', timeoutMs: 90_000, everyMs: 50 },
      processes: node.programs,
    });
    node.programs.push(spawnLogged(process.execPath, cpi, { name: 'cpi', env: smallRuntime.env }));
    return {
      ...node,
      killCsiNode: async () => {
        node.programs.splice(node.programs.indexOf(csiNode), 1);
        await csiNode.stop();
      },
      startCsiNode: async () => {
        csiNode = startNode();
      },
    };
  } catch (error) {
    await node.stop().catch(() => {});
    throw error;
  }
};
